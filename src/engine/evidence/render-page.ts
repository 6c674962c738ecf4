import { runAtOnce, sortInSteps } from '../../base/pacer.ts';
import type { Evidence, EvidenceLine } from '../../contract/evidence.ts';
import { escapeText } from '../../text/escape.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { fr, type Language, type Sentence, say } from '../../text/language.ts';
import { sayRule } from '../../text/rule.ts';
import { findClaimed, findPeers } from './claimed-media.ts';
import { isAttestation, listSpeakers, listWitnesses } from './derive.ts';
import { describeReceipt } from './describe-receipt.ts';
import {
  listNamedMedia,
  sayClaimed,
  sayEvent,
  sayMedium,
  sayOutcome,
  sayScope,
  toTime,
} from './page-words.ts';

/** Markup whose values are escaped. */
interface Markup {
  readonly markup: string;
}
type Cell = string | number | Markup | readonly Markup[];

const raw = (markup: string): Markup => ({ markup });

/** Values from ledgers and recipes may have any character, and any direction. */
function show(value: Cell): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `<bdi>${escapeHtml(escapeText(value))}</bdi>`;
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const code = (text: string): Markup => raw(`<code>${escapeHtml(escapeText(text))}</code>`);

/** Without script and without anything from elsewhere; black on white, so that a printer shows the same. */
const style = `
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: #fff; color: #16181d;
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 2px solid #16181d; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
caption { text-align: left; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #6b7280; }
th[scope=row] { white-space: nowrap; }
tr.bad td, tr.bad th, .bad { color: #a30000; font-weight: 600; }
code { font: .8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 1.1rem; }
dl { display: grid; grid-template-columns: fit-content(50%) 1fr; gap: .15rem 1rem; margin: 0; }
dt { font-weight: 600; } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } tr { break-inside: avoid; } th, td { overflow-wrap: anywhere; } }
`;

/** Whether a line is about a guard that was waived, or about a failure. */
const isWaiver = ({ type }: EvidenceLine): boolean => type === 'waived';
const isBad = (line: EvidenceLine): boolean =>
  isWaiver(line) || line.open === true || (line.result !== undefined && line.result !== 'success');

/** By time; lines of one ledger keep their order. */
const compareLines = (a: EvidenceLine, b: EvidenceLine): number => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);

/** The lines of all ledgers, by time. Parts of one ledger may have the same lines. */
function* mergeLines(ledgers: Evidence['ledgers']): Generator<string, readonly EvidenceLine[]> {
  const own = ledgers.filter(({ checkpoint }) => checkpoint === undefined);
  const parts = ledgers.filter(({ checkpoint }) => checkpoint !== undefined);
  const others = new Map<string, EvidenceLine>();
  for (const line of parts.flatMap((part) => part.lines)) {
    others.set(JSON.stringify(line), line);
    yield '';
  }
  const sorting = sortInSteps([...own.flatMap((ledger) => ledger.lines), ...others.values()], compareLines);
  for (;;) {
    const { done, value } = sorting.next();
    if (done) return value;
    yield '';
  }
}

/** Renders the page of an evidence pack in pieces, some of them empty. The same document gives the same bytes. */
export function* renderPage(evidence: Evidence, language: Language): Generator<string> {
  const { scope, site, ledgers, deliveries, recipes, signatures, keys, absent } = evidence;
  const lines = yield* mergeLines(ledgers);
  const [isClaimed, peerOf] = [runAtOnce(findClaimed(evidence)), runAtOnce(findPeers(evidence))];
  const shared = Map.groupBy(deliveries, ({ id }) => id);
  const tell = (sentence: Sentence): string => say(sentence, language);
  const head = (...names: readonly Sentence[]): readonly string[] => names.map(tell);

  const table = function* <T>(
    caption: Sentence,
    names: readonly string[],
    items: readonly T[],
    toRow: (item: T) => { readonly cells: readonly Cell[]; readonly isBad?: boolean },
    empty: Sentence,
  ): Generator<string> {
    if (items.length === 0) return yield `<p>${escapeHtml(tell(empty))}</p>`;
    const top = names.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
    const named = escapeHtml(tell(caption));
    yield `<div class="scroll" tabindex="0" role="region" aria-label="${named}"><table><caption>${named}</caption><thead><tr>${top}</tr></thead><tbody>\n`;
    for (const item of items) {
      const { cells, isBad: bad = false } = toRow(item);
      const [first, ...rest] = cells.map(show);
      const data = rest.map((cell) => `<td>${cell}</td>`).join('');
      yield `<tr${bad ? ' class="bad"' : ''}><th scope="row">${first}</th>${data}</tr>\n`;
    }
    yield '</tbody></table></div>';
  };
  const section = function* (name: Sentence, content: Iterable<string>, note?: Sentence): Generator<string> {
    yield `<section><h2>${escapeHtml(tell(name))}</h2>\n`;
    if (note !== undefined) yield `<p>${escapeHtml(tell(note))}</p>\n`;
    yield* content;
    yield '\n</section>';
  };

  const keyNames = new Map(keys.map(({ path, name }) => [path, name]));
  const title = tell(
    {
      delivery: ['Evidence of delivery', fr`Preuves de la livraison`] as const,
      recipe: ['Evidence of recipe', fr`Preuves de la recette`] as const,
      since: ['Evidence since', fr`Preuves depuis`] as const,
    }[scope.kind],
  );
  const open = lines.filter((line) => line.open === true);
  const waivers = lines.filter(isWaiver);
  const facts: readonly (readonly [Sentence, Cell])[] = [
    [['Site', fr`Site`], site],
    [
      ['Period', fr`Période`],
      lines.length === 0 ? '-' : raw(`${show(toTime(lines[0]!.ts))} – ${show(toTime(lines.at(-1)!.ts))} UTC`),
    ],
    [['Recipes', fr`Recettes`], recipes.length],
    [['Lines of ledgers', fr`Lignes de journaux de garde`], lines.length],
    [['Waived guards', fr`Contrôles levés`], count(waivers.length)],
    [['Operations without an outcome', fr`Opérations sans issue`], count(open.length)],
    [
      ['Actors', fr`Acteurs`],
      evidence.actors === 'named'
        ? tell(['named', fr`nommés`])
        : tell(['withheld: numbers in place of names', fr`masqués : des numéros à la place des noms`]),
    ],
  ];
  const summary = `<dl>${facts.map(([name, value]) => `<dt>${escapeHtml(tell(name))}</dt><dd>${show(value)}</dd>`).join('\n')}</dl>`;

  const toRow = (line: EvidenceLine) => {
    const { ts, site: of, seq, actor, subjects, details } = line;
    const items = [
      ...subjects.map(({ name, digest }) => raw(`<li>${show(name)} ${code(digest).markup}</li>`)),
      ...Object.entries(details).map(([name, value]) => raw(`<li>${show(`${name}: ${toText(value)}`)}</li>`)),
    ];
    const about = items.length === 0 ? '' : raw(`<ul>${show(items)}</ul>`);
    const [event, outcome] = [sayEvent(line, language), sayOutcome(line, language)];
    return { cells: [toTime(ts), `${of} ${seq}`, event, outcome, actor, about], isBad: isBad(line) };
  };
  const timeline = head(
    ['Time (UTC)', fr`Heure (UTC)`],
    ['Site and line', fr`Site et ligne`],
    ['Event', fr`Événement`],
    ['Outcome', fr`Issue`],
    ['Actor', fr`Acteur`],
    ['About', fr`Au sujet de`],
  );
  const none: Sentence = ['None.', fr`Aucune.`];
  const signed = Map.groupBy(
    signatures.filter(({ kind }) => kind === 'recipe'),
    ({ path }) => path.slice(0, path.lastIndexOf('/')),
  );
  const signersOf = (folder: string): Cell => {
    const own = signed.get(folder) ?? [];
    if (own.length === 0) return tell(['no signature in the pack', fr`aucune signature dans le dossier`]);
    return own.map((one) => {
      const { key, path } = one;
      const type = isAttestation(one)
        ? ` ${escapeHtml(tell(['in a statement of type', fr`par une déclaration de type`]))} ${show(one.predicateType!)}`
        : '';
      return raw(
        `<div>${key === undefined ? escapeHtml(tell(['no known key', fr`aucune clé connue`])) : show(keyNames.get(key) ?? key)} ${code(path).markup}${type}</div>`,
      );
    });
  };

  const speaking = signatures.flatMap(({ key, points = [] }) =>
    key === undefined ? [] : [{ by: listSpeakers(points), points }],
  );
  const witnessesOf = (of: string): Cell => {
    const { own, others } = listWitnesses(of, speaking);
    const rows = others.map(({ site: by, seq }) =>
      tell([
        `by another site (${by}) up to line ${seq}`,
        fr`par un autre site (${by}) jusqu’à la ligne ${seq}`,
      ]),
    );
    if (rows.length === 0) rows.push(tell(['by no other site', fr`par aucun autre site`]));
    if (own !== undefined)
      rows.push(tell([`by its own key up to line ${own}`, fr`par sa propre clé jusqu’à la ligne ${own}`]));
    return rows.map((row) => raw(`<div>${show(row)}</div>`));
  };

  const sections = [
    section(['Summary', fr`Résumé`], [summary]),
    section(
      ['Waived guards', fr`Contrôles levés`],
      table(['Guards that somebody waived', fr`Contrôles que quelqu’un a levés`], timeline, waivers, toRow, [
        'Nobody waived a guard at this site. Its ledger has no waivers of other sites.',
        fr`Personne n’a levé de contrôle sur ce site. Son journal de garde ne dit pas quels contrôles d’autres sites ont levés.`,
      ]),
    ),
    section(
      ['Operations without an outcome', fr`Opérations sans issue`],
      table(
        [
          'Operations that began, and whose end no ledger has',
          fr`Opérations commencées, dont aucun journal de garde n’a la fin`,
        ],
        timeline,
        open,
        toRow,
        ['Every operation has its outcome.', fr`Chaque opération a son issue.`],
      ),
    ),
    section(
      ['Deliveries', fr`Livraisons`],
      table(
        ['Deliveries and their media', fr`Les livraisons et leurs supports`],
        head(
          ['Delivery', fr`Livraison`],
          ['Zone', fr`Zone`],
          ['Parts', fr`Parties`],
          ['media.jsonl', fr`media.jsonl`],
        ),
        deliveries,
        ({ id, peer, zone, parts, media, claimed = [] }) => ({
          cells: [
            raw(
              show(id) +
                (peer === undefined
                  ? ''
                  : `<div>${escapeHtml(tell(['passport of peer', fr`passeport du pair`]))} ${show(peer)}</div>`),
            ),
            zone,
            parts,
            [
              ...(media.length > 0
                ? media.map((one) =>
                    raw(`<div>${show(sayRule(sayMedium(one), language))} ${code(one.manifest).markup}</div>`),
                  )
                : listNamedMedia(ledgers[0]?.lines ?? [], { id, peer }, { isClaimed, peerOf }).map(
                    (manifest) => raw(`<div>${code(manifest).markup}</div>`),
                  )),
              ...claimed.map((one) =>
                raw(`<div>${show(sayRule(sayClaimed(one), language))} ${code(one.manifest).markup}</div>`),
              ),
            ],
          ],
          isBad: claimed.length > 0 || shared.get(id)!.length > 1,
        }),
        none,
      ),
    ),
    section(
      ['Recipes', fr`Recettes`],
      table(
        ['Recipes with their signers', fr`Les recettes et leurs signataires`],
        head(
          ['Recipe', fr`Recette`],
          ['Named by', fr`Citée par`],
          ['Digest', fr`Empreinte`],
          ['Signed by', fr`Signée par`],
          ['In the pack', fr`Dans le dossier`],
        ),
        recipes,
        ({ name, version, digest, sites = [site], refused, claimed, folder, missing }) => ({
          cells: [
            raw(
              show(`${name}@${version}`) +
                (refused === undefined
                  ? ''
                  : `<div>${escapeHtml(tell(['refused:', fr`refusée :`]))} ${show(refused)}</div>`) +
                (claimed === undefined
                  ? ''
                  : `<div>${escapeHtml(tell(['only on disks without a passport', fr`seulement sur des disques sans passeport`]))}</div>`),
            ),
            sites.join(', '),
            code(digest),
            folder === undefined ? '' : signersOf(folder),
            folder === undefined ? `${tell(['no', fr`non`])} (${missing ?? ''})` : code(folder),
          ],
          isBad:
            refused !== undefined ||
            claimed !== undefined ||
            folder === undefined ||
            !signed.get(folder)?.some(({ key }) => key !== undefined),
        }),
        none,
      ),
    ),
    section(
      ['Timeline', fr`Chronologie`],
      table(
        ['The lines of the ledgers, by time', fr`Les lignes des journaux de garde, par heure`],
        timeline,
        lines,
        toRow,
        none,
      ),
      evidence.actors === 'named'
        ? [
            'An actor such as local:0 is the user of the machine with this number, at the command line of svc; 0 is root. The actor anonymous is no account: authentication was disabled. Other names are accounts of the instance.',
            fr`Un acteur tel que local:0 est l’utilisateur de la machine portant ce numéro, à la ligne de commande de svc ; 0 est root. L’acteur anonymous n’est pas un compte : l’authentification était désactivée. Les autres noms sont des comptes de l’instance.`,
          ]
        : undefined,
    ),
    section(
      ['Receipts', fr`Reçus`],
      table(
        ['Statements of zones about their registries', fr`Déclarations de zones sur leurs registres`],
        head(
          ['Zone and number', fr`Zone et numéro`],
          ['Issued (UTC)', fr`Émis le (UTC)`],
          ['Last delivery', fr`Dernière livraison`],
          ['The registry', fr`Le registre`],
          ['Recipes', fr`Recettes`],
        ),
        signatures.flatMap(({ receipt }) => receipt ?? []),
        (receipt) => {
          const { isWhole, ...cells } = describeReceipt(receipt, language);
          const columns = [cells.delivery, cells.registry, cells.recipes].map((rows) =>
            rows.map((row) => raw(`<div>${show(row)}</div>`)),
          );
          return {
            cells: [`${receipt.zone} ${receipt.sequence}`, toTime(receipt.issuedAt), ...columns],
            isBad: !isWhole,
          };
        },
        ['None.', fr`Aucun.`],
      ),
      [
        'Of the recipes that are whole, those of this pack are listed, and of others their number only.',
        fr`Parmi les recettes complètes, seules celles de ce dossier sont citées ; des autres, on ne voit que le nombre.`,
      ],
    ),
    section(
      ['Signed statements', fr`Déclarations signées`],
      table(
        [
          'Receipts, approvals, passports of media, and heads of ledgers',
          fr`Reçus, approbations, passeports de supports et têtes de journaux de garde`,
        ],
        head(
          ['File', fr`Fichier`],
          ['Kind', fr`Type`],
          ['About', fr`Au sujet de`],
          ['Dated (UTC)', fr`Datée du (UTC)`],
          ['Key', fr`Clé`],
        ),
        signatures.filter(({ kind }) => kind !== 'recipe'),
        ({ path, kind, about, key, statedAt }) => ({
          cells: [
            code(path),
            kind,
            about.join(', '),
            toTime(statedAt ?? ''),
            key === undefined ? tell(['no known key', fr`aucune clé connue`]) : (keyNames.get(key) ?? key),
          ],
          isBad: key === undefined,
        }),
        none,
      ),
    ),
    section(
      ['Statements that the pack does not have', fr`Déclarations absentes du dossier`],
      table(
        [
          'Statements that lines name, and that the site did not have any more',
          fr`Déclarations que nomment des lignes, et que le site n’avait plus`,
        ],
        head(['Named by', fr`Citée par`], ['Kind', fr`Type`], ['Digest', fr`Empreinte`]),
        absent,
        ({ site: of, seq, kind, digest }) => ({ cells: [`${of} ${seq}`, kind, code(digest)], isBad: true }),
        none,
      ),
    ),
    section(
      ['Ledgers', fr`Registres`],
      table(
        ['Ledgers and their heads', fr`Les journaux de garde et leurs têtes`],
        head(
          ['Site', fr`Site`],
          ['Lines', fr`Lignes`],
          ['Named by statements', fr`Nommées par des déclarations`],
          ['Head', fr`Tête`],
          ['Files', fr`Fichiers`],
        ),
        ledgers,
        ({ site: of, count: many, head: at, files, checkpoint }) => ({
          cells: [
            checkpoint === undefined ? of : `${of}, ${tell(['a part', fr`une partie`])}`,
            many,
            witnessesOf(of),
            code(at),
            files.map((file) => raw(`<div>${code(file).markup}</div>`)),
          ],
        }),
        none,
      ),
    ),
    section(
      ['Keys', fr`Clés`],
      table(
        ['Public keys of the pack', fr`Clés publiques du dossier`],
        head(['Name', fr`Nom`], ['SHA-256', fr`SHA-256`], ['File', fr`Fichier`]),
        keys,
        ({ path, name, fingerprint }) => ({ cells: [name, code(fingerprint), code(path)] }),
        none,
      ),
    ),
    section(
      ['Checking', fr`Vérification`],
      [
        `<p>${escapeHtml(tell(['This page does not verify itself: a forged page would say the same. VERIFY.md has the commands that check the files, the ledgers and the signatures, and says what they show.', fr`Cette page ne se vérifie pas elle-même : une page falsifiée dirait la même chose. VERIFY.md donne les commandes qui vérifient les fichiers, les journaux de garde et les signatures, et dit ce qu’elles montrent.`]))}</p>`,
      ],
    ),
  ];
  yield `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)} ${escapeHtml(escapeText(scope.value))} – ${escapeHtml(escapeText(site))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)} ${show(scope.value)}</h1>
<p>${show(sayRule(sayScope(scope, deliveries, lines, isClaimed), language))}</p>
`;
  for (const part of sections) {
    yield* part;
    yield '\n';
  }
  yield '</main>\n</body>\n</html>\n';
}

const count = (many: number): Cell => (many === 0 ? 0 : raw(`<span class="bad">${many}</span>`));

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
