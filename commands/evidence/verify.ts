import { signPredicate } from '../../src/attest/predicate-types.ts';
import type { GivenKey } from '../../src/engine/evidence/verify-statements.ts';
import { isSingular } from '../../src/text/amount.ts';
import { escapeText } from '../../src/text/escape.ts';
import { exitCodes } from '../../src/text/exit-codes.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { count } from '../render/count.ts';

const roleWords: Readonly<Record<GivenKey['role'], Sentence>> = {
  site: ['site', fr`site`],
  signer: ['signs recipes', fr`signe des recettes`],
  approver: ['approves recipes', fr`approuve des recettes`],
};

const toValid = (signatures: number): string =>
  `${count(signatures, 'signature', 'fr')} valide${isSingular(signatures, 'fr') ? '' : 's'}`;

/** Faults that are printed. */
const mostShown = 20;

export class EvidenceVerifyCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Checks a folder of svc evidence pack: its files by SHA256SUMS, the chain of its ledgers, that it shows exactly the lines of the ledgers about its subject, its recipes, and that each of its signatures verifies under a key of --key. Keys in the folder are not believed.',
        fr`Vérifie un dossier de svc evidence pack : ses fichiers par SHA256SUMS, la chaîne de ses journaux de garde, qu’il montre exactement les lignes des journaux de garde sur son sujet, ses recettes, et que chacune de ses signatures est valide avec une clé de --key. Les clés du dossier ne font pas foi.`,
      ],
      [
        'Each key counts in the role that you give it. --key zone-b=FILE speaks for the receipts, checkpoints and passports of site zone-b, and for the approvals of this site. --key FILE signs recipes only, --approver FILE approvals only. The key of a site has no other role; it may be the key of several sites, of which none vouches for another. Write ./ before a file whose name has the sign =.',
        fr`Chaque clé vaut dans le rôle que vous lui donnez. --key zone-b=FICHIER vaut pour les reçus, points de contrôle et passeports du site zone-b, et pour les approbations de ce site. --key FICHIER ne signe que des recettes, --approver FICHIER que des approbations. La clé d’un site n’a pas d’autre rôle ; elle peut être celle de plusieurs sites, dont aucun ne se porte garant d’un autre. Écrivez ./ devant un fichier dont le nom contient le signe =.`,
      ],
      [
        'A statement about a recipe counts as its signature when it has the predicate type of cosign signatures, or one of --predicate, as in trust.roots.',
        fr`Une déclaration sur une recette vaut signature si elle a le type de prédicat des signatures de cosign, ou l’un de ceux de --predicate, comme dans trust.roots.`,
      ],
      [
        'Exit code: 0 everything holds, 1 failure, 4 something does not.',
        fr`Code de sortie : 0 tout est exact, 1 échec, 4 un élément ne l’est pas.`,
      ],
    ],
    examples: [
      [
        ['Under the keys of both sites', fr`Avec les clés des deux sites`],
        'svc evidence verify evidence --key release.pub --approver board.pub --key zone-a=zone-a.pub --key zone-b=zone-b.pub',
      ],
    ],
  };

  folder: string = argument.text(['directory', fr`dossier`], 'folder');
  keys: string[] = flag.each(
    '--key',
    [
      'public key of a signer of recipes, or [SITE=]FILE of a site, received on another way; repeatable',
      fr`clé publique d’un signataire de recettes, ou [SITE=]FICHIER d’un site, reçue par une autre voie ; répétable`,
    ],
    'file',
  );
  approvers: string[] = flag.each(
    '--approver',
    [
      'public key of an approver of recipes; repeatable',
      fr`clé publique d’un approbateur de recettes ; répétable`,
    ],
    'file',
  );
  predicates: string[] = flag.each('--predicate', [
    'predicate type of a statement that approves recipes too; repeatable',
    fr`type de prédicat d’une déclaration qui approuve aussi des recettes ; répétable`,
  ]);

  async run(): Promise<number> {
    const { verifyPack } = await import('../../src/engine/evidence/verify-pack.ts');
    const { evidence, files, verified, witnessed, forgotten, unsigned, page, faults, keyless } =
      await verifyPack(this.folder, {
        keys: await this.#readKeys(),
        predicates: this.predicates,
        version: getBuildInfo().version,
        signal: this.context.signal,
      });
    const byName = Map.groupBy(evidence?.deliveries ?? [], ({ id }) => id);
    const claimed = [...byName].flatMap(([delivery, [first]]) =>
      (first?.claimed ?? []).map((one) => ({ delivery, ...one })),
    );
    const shared = [...byName]
      .filter(([, all]) => all.length > 1)
      .map(([delivery, all]) => ({ delivery, peers: all.flatMap(({ peer }) => peer ?? []) }));
    const { language } = this;
    const isChecked = evidence?.ledgers.every((ledger) => ledger.files.length > 0) === true;
    if (this.format === 'json')
      await this.printDocument({
        folder: this.folder,
        ok: faults.length === 0,
        files,
        signatures: verified.map(({ path, kind, about, predicateType, by }) => ({
          ...{ path, kind, about, predicateType },
          ...{ keyFile: by.file, keyFingerprint: by.fingerprint, role: by.role, site: by.site },
        })),
        lines: isChecked ? 'checked' : 'unchecked',
        witnessed,
        forgotten,
        unsigned,
        ...(claimed.length > 0 && { claimed }),
        ...(shared.length > 0 && { shared }),
        page,
        findings: faults.map((one) => ({ code: one.code, detail: renderError(one, 'en').what })),
      });
    else {
      for (const { path, predicateType = signPredicate, by, kind } of verified) {
        // the names of the others say their type
        const type =
          kind === 'recipe' && predicateType !== signPredicate ? ` ${escapeText(predicateType)}` : '';
        const role = by.site ?? say(roleWords[by.role], language);
        this.printReport(`${path}: ${escapeText(by.file)} (${role}) ${by.fingerprint}${type}\n`);
      }
      if (evidence !== undefined) {
        const site = escapeText(evidence.site);
        const { count: lines } = evidence.ledgers[0]!;
        for (const { site: by, seq } of witnessed.others)
          this.printReport(
            say(
              [
                `${site}: ${count(lines, 'line', 'en')}, named by another site (${escapeText(by)}) up to line ${seq}\n`,
                fr`${site} : ${count(lines, 'line', 'fr')}, nommées par un autre site (${escapeText(by)}) jusqu’à la ligne ${seq}\n`,
              ],
              language,
            ),
          );
        if (witnessed.own !== undefined)
          this.printReport(
            say(
              [
                `${site}: ${count(lines, 'line', 'en')}, named by its own key up to line ${witnessed.own}\n`,
                fr`${site} : ${count(lines, 'line', 'fr')}, nommées par sa propre clé jusqu’à la ligne ${witnessed.own}\n`,
              ],
              language,
            ),
          );
      }
      if (faults.length === 0)
        this.printReport(
          say(
            [
              `${escapeText(this.folder)}: ${count(files, 'file', 'en')}, ${count(verified.length, 'signature', 'en')} verified\n`,
              fr`${escapeText(this.folder)} : ${count(files, 'file', 'fr')}, ${toValid(verified.length)}\n`,
            ],
            language,
          ),
        );
    }
    if (faults.length === 0 && !isChecked)
      this.warn([
        'the pack has no ledger, as for withheld actors: its lines cannot be checked',
        fr`le dossier n’a pas de journal de garde, comme pour des acteurs masqués : ses lignes ne peuvent pas être vérifiées`,
      ]);
    if (isChecked && faults.length === 0 && witnessed.others.length === 0)
      this.warn([
        'no verified statement of another site names a line of the ledger of the site: its lines are the word of the maker of the pack',
        fr`aucune déclaration validée d’un autre site ne nomme une ligne du journal de garde du site : ses lignes sont la parole de l’auteur du dossier`,
      ]);
    for (const { site, seq } of forgotten.slice(0, mostShown))
      this.warn([
        `line ${seq} of ${escapeText(site)} names a statement that the pack does not have`,
        fr`la ligne ${seq} de ${escapeText(site)} nomme une déclaration que le dossier n’a pas`,
      ]);
    if (forgotten.length > mostShown)
      this.warn([
        `${forgotten.length - mostShown} more lines name statements that the pack does not have; --output json has all`,
        fr`${forgotten.length - mostShown} autres lignes nomment des déclarations que le dossier n’a pas ; --output json les donne toutes`,
      ]);
    // without any key, each signature would be a fault of a sound pack: one sentence says so
    const isKeyless = this.keys.length + this.approvers.length === 0;
    const shown = isKeyless ? faults.filter((one) => !keyless.has(one)) : faults;
    for (const { name, version, missing } of isKeyless ? [] : unsigned.slice(0, mostShown))
      this.warn(
        missing === undefined
          ? [
              `recipe ${name}@${version} has no signature that a given key verifies`,
              fr`la recette ${name}@${version} n’a pas de signature validée par une clé indiquée`,
            ]
          : [
              `the pack does not have recipe ${name}@${version} (${escapeText(missing)}): neither its document nor a signature was checked`,
              fr`le dossier n’a pas la recette ${name}@${version} (${escapeText(missing)}) : ni son document ni une signature n’a été vérifié`,
            ],
      );
    if (!isKeyless && unsigned.length > mostShown)
      this.warn([
        `${unsigned.length - mostShown} more recipes without a verified signature; --output json has all`,
        fr`${unsigned.length - mostShown} autres recettes sans signature validée ; --output json les donne toutes`,
      ]);
    for (const { delivery, part, manifest } of claimed.slice(0, mostShown))
      this.warn([
        `a disk without a passport claimed to be part ${part} of ${escapeText(delivery)}, of which another medium has one: ${manifest}`,
        fr`un disque sans passeport prétendait être la partie ${part} de ${escapeText(delivery)}, dont un autre support en a un : ${manifest}`,
      ]);
    if (claimed.length > mostShown)
      this.warn([
        `${claimed.length - mostShown} more disks without a passport; --output json has all`,
        fr`${claimed.length - mostShown} autres disques sans passeport ; --output json les donne tous`,
      ]);
    for (const { delivery, peers } of shared.slice(0, mostShown))
      this.warn([
        `media of several senders have the identifier ${escapeText(delivery)}; peers that signed some: ${peers.map(escapeText).join(', ')}`,
        fr`des supports de plusieurs expéditeurs portent l’identifiant ${escapeText(delivery)} ; pairs qui en ont signé : ${peers.map(escapeText).join(', ')}`,
      ]);
    if (faults.length === 0 && page === 'uncompared')
      this.warn([
        'another version made the pack: index.html and VERIFY.md were not compared, and must not be trusted',
        fr`une autre version a créé le dossier : index.html et VERIFY.md n’ont pas été comparés, et ne doivent pas être crus`,
      ]);
    let code = 0;
    for (const one of shown.slice(0, mostShown)) code = await this.fail(one);
    if (shown.length > mostShown)
      this.printLine([
        `svc: ${shown.length - mostShown} more faults; --output json has all`,
        fr`svc: ${shown.length - mostShown} autres défauts ; --output json les donne tous`,
      ]);
    if (shown.length === faults.length) return code;
    const signatures = evidence?.signatures.length ?? 0;
    this.printLine([
      `svc: ${count(signatures, 'signature', 'en')} not checked, as no key is given: name the keys with --key FILE, --key SITE=FILE and --approver FILE`,
      fr`svc: ${count(signatures, 'signature', 'fr')} non vérifiée${isSingular(signatures, 'fr') ? '' : 's'}, car aucune clé n’est indiquée : nommez les clés avec --key FICHIER, --key SITE=FICHIER et --approver FICHIER`,
    ]);
    return exitCodes.verification;
  }

  /**
   * The given keys, in each role that they are given.
   *
   * @throws CommandLineError for a wrong name, and for the key of a site in another role; SVC-VAL-001 and others for a file
   *   that is no key
   */
  async #readKeys(): Promise<readonly GivenKey[]> {
    const { readPublicKey } = await import('../trust/read-key.ts');
    const { toFingerprint } = await import('../../src/attest/public-key.ts');
    const given = [
      ...(await Promise.all(this.keys.map(parseKey))),
      ...this.approvers.map((file) => ({ role: 'approver' as const, file, site: undefined })),
    ];
    if (given.some(({ file }) => file === ''))
      throw new CommandLineError(['the file of a key is missing', fr`le fichier d’une clé manque`]);
    const keys: GivenKey[] = [];
    for (const one of given) {
      const key = await readPublicKey(one.file);
      const fingerprint = toFingerprint(key);
      const known = keys.filter((other) => other.fingerprint === fingerprint);
      const other = known.find(({ site }) => (site === undefined) !== (one.site === undefined));
      if (other !== undefined)
        throw new CommandLineError([
          `${escapeText(other.file)} and ${escapeText(one.file)} are one key in two roles: give it with the names of its sites, or without one`,
          fr`${escapeText(other.file)} et ${escapeText(one.file)} sont une même clé dans deux rôles : indiquez-la avec les noms de ses sites, ou sans nom`,
        ]);
      if (!known.some(({ role, site }) => role === one.role && site === one.site))
        keys.push({ key, fingerprint, ...one });
    }
    return keys;
  }
}

/** Reads `[SITE=]FILE`. @throws CommandLineError */
async function parseKey(given: string): Promise<Pick<GivenKey, 'role' | 'file' | 'site'>> {
  const { breaksZoneName } = await import('../../src/config/keys/instance.ts');
  const [, site, file = given] = /^([^/=]*)=(.*)$/s.exec(given) ?? [];
  if (site === undefined) return { role: 'signer', file, site };
  if (breaksZoneName(site) !== undefined)
    throw new CommandLineError([
      `--key ${escapeText(given)}: ${escapeText(site)} is no name of a site`,
      fr`--key ${escapeText(given)} : ${escapeText(site)} n’est pas un nom de site`,
    ]);
  return { role: 'site', file, site };
}
