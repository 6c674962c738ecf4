import { digestHex } from '../../base/digest.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { escapeText } from '../../text/escape.ts';
import { fr, type Language, type Sentence, say } from '../../text/language.ts';
import { toShellWord } from '../../text/shell-word.ts';
import { toShortDigest } from './collect-statement.ts';
import { isAttestation } from './derive.ts';
import type { EvidenceSignature } from './model.ts';
import { listNamed } from './named-statements.ts';
import { sumsName } from './pack-folder.ts';

/** The first command that fails ends a block with its status. */
const block = (lines: readonly string[]): string => `\`\`\`sh\n(\nset -e\n${lines.join('\n')}\n)\n\`\`\``;

/** A folder of its own for the commands of a block. */
const workFolder = ['work=$(mktemp -d)', `trap 'rm -rf "$work"' EXIT`];

/**
 * Walks a chain: each line names the SHA-256 of the line before it, with its line feed. The sums of 5 000 lines are those of as
 * many files, so that no process is started for a line.
 */
const chain = [
  ...workFolder,
  'chain() { # PREV FILE...',
  '  prev=$1',
  '  shift',
  '  cat "$@" > "$work/ledger"',
  '  split -a 5 -l 5000 "$work/ledger" "$work/part."',
  '  for part in "$work"/part.*; do',
  '    mkdir "$work/lines"',
  '    split -a 3 -l 1 "$part" "$work/lines/"',
  '    (cd "$work/lines" && LC_ALL=C sha256sum -- *)',
  '    rm -r "$work/lines" "$part"',
  '  done > "$work/sums"',
  `  LC_ALL=C awk -v prev="$prev" '`,
  '    NR == FNR { sum[NR] = "sha256:" substr($0, 1, 64); next }',
  String.raw`    index($0, "{\"seq\":" FNR ",\"prev\":\"" prev "\",") != 1 {`,
  '      print "broken: line " FNR > "/dev/stderr"; broken = 1; exit 1',
  '    }',
  '    { prev = sum[FNR] }',
  '    END { if (!broken) print prev }',
  `  ' "$work/sums" "$work/ledger"`,
  '}',
  'whole() { # ends with a line feed, and has no byte that awk may leave out',
  `  test -z "$(tail -c 1 "$1" | tr -d '\\n')"`,
  `  test "$(tr -d '\\000' < "$1" | wc -c)" -eq "$(wc -c < "$1")"`,
  '}',
];

/** Verifies signed bytes with openssl. Ed25519 signs the bytes, the other keys a hash of them. */
const verify = [
  ...workFolder,
  'hashed() { # HASH KEY FILE',
  '  openssl base64 -d -A -in "$3.sig" -out "$work/sig"',
  '  openssl dgst "-$1" -verify "$2" -signature "$work/sig" "$3.signed"',
  '}',
  'ed25519() { # KEY FILE',
  '  openssl base64 -d -A -in "$2.sig" -out "$work/sig"',
  '  openssl pkeyutl -verify -pubin -inkey "$1" -rawin -in "$2.signed" -sigfile "$work/sig"',
  '}',
  'bundled() { # FILE BUNDLE: the bundle has these signed bytes and this signature, once, and in plain text',
  `  tr -d ' \\t\\r\\n' < "$2" > "$work/bundle"`,
  String.raw`  test "$(grep -cF '\u' "$work/bundle")" -eq 0`,
  '  for member in payload payloadType sig; do',
  String.raw`    test "$(grep -oF "\"$member\":\"" "$work/bundle" | wc -l)" -eq 1`,
  String.raw`    sed "s/.*\"$member\":\"\([^\"]*\)\".*/\1/" "$work/bundle" | tr -d '\n' > "$work/$member"`,
  '  done',
  '  base64 -d "$work/payload" > "$work/statement"',
  '  {',
  `    printf 'DSSEv1 %d %s ' "$(wc -c < "$work/payloadType")" "$(cat "$work/payloadType")"`,
  `    printf '%d ' "$(wc -c < "$work/statement")"`,
  '    cat "$work/statement"',
  '  } | cmp "$1.signed" -',
  `  tr -d '\\n' < "$1.sig" | cmp - "$work/sig"`,
  '}',
  `names() { # FILE SHA-256`,
  '  grep -q "$2" "$1"',
  '}',
];

/** Finds the digest of a statement in a ledger: that of the payload of its signed bytes, or of the bundle of an approval. */
const stated = [
  'payload() { # FILE: the signed bytes begin with a type and two lengths',
  `  length=$(head -c 200 "$1" | sed -n '1s/^DSSEv1 [0-9]* [^ ]* \\([0-9]*\\) .*/\\1/p')`,
  '  tail -c "$length" "$1"',
  '}',
  'stated() { # NAME BEGINNING LEDGER...: reads the statement, whose digest begins so in the name of its file',
  `  sum=$(sha256sum | cut -d ' ' -f 1)`,
  '  name=$1',
  '  case $sum in "$2"*) ;; *) return 1 ;; esac',
  '  shift 2',
  '  cat "$@" | grep -qF "{\\"name\\":$name,\\"digest\\":\\"sha256:$sum\\"}"',
  '}',
];

/** Renders `VERIFY.md`: the commands that check a pack without this program. */
export function renderGuide(evidence: Evidence, language: Language): string {
  const tell = (sentence: Sentence): string => say(sentence, language);
  const verified = evidence.signatures.filter(({ key }) => key !== undefined);
  const paragraphs: string[] = [
    `# ${tell(['Checking this pack without svc', fr`Vérifier ce dossier sans svc`])}`,
    tell([
      'Run the commands in the folder of the pack. Each block ends with status 0 when everything in it holds. Compare the keys in keys/ with copies that you received on another way: the maker of the pack could have put other keys here.',
      fr`Exécutez les commandes dans le dossier. Chaque bloc se termine avec le code 0 si tout y est exact. Comparez les clés de keys/ avec des copies reçues par une autre voie : l’auteur du dossier aurait pu y mettre d’autres clés.`,
    ]),
    `## 1. ${tell(['The files', fr`Les fichiers`])}`,
    block([
      `sha256sum --check --strict --quiet ${sumsName}`,
      `test "$(sed 's/^[0-9a-f]*  /.\\//' ${sumsName} | sort)" = "$(find . ! -type d ! -name ${sumsName} | sort)"`,
      `test -z "$(find . ! -type d ! -type f)"`,
    ]),
  ];
  const kept = evidence.ledgers.filter(
    ({ files, checkpoint }) => files.length > 0 && checkpoint === undefined,
  );
  const parts = evidence.ledgers.filter(
    ({ files, checkpoint }) => files.length > 0 && checkpoint !== undefined,
  );
  paragraphs.push(`## 2. ${tell(['The ledgers', fr`Les journaux de garde`])}`);
  if (kept.length === 0)
    paragraphs.push(
      tell([
        'Actors are withheld, so the ledgers are not in the pack. Their heads are in evidence.json; the site can show the ledgers.',
        fr`Les acteurs sont masqués : les journaux de garde ne sont pas dans le dossier. Leurs têtes sont dans evidence.json ; le site peut montrer les journaux de garde.`,
      ]),
    );
  else
    paragraphs.push(
      tell([
        'Each line names the SHA-256 of the line before it. The last one must be the head that evidence.json states. A line that a receipt of the other site names must be there: this shows an end that was cut.',
        fr`Chaque ligne porte l’empreinte SHA-256 de la ligne précédente. La dernière doit être la tête qu’indique evidence.json. Une ligne qu’un reçu de l’autre site nomme doit s’y trouver : ainsi se voit une fin coupée.`,
      ]),
      block([
        ...chain,
        ...kept.flatMap(({ files }) => files.map((file) => `whole ${toShellWord(file)}`)),
        ...kept.map(
          ({ files, first, head }) =>
            `test "$(chain ${first} ${files.map(toShellWord).join(' ')})" = ${head}`,
        ),
        ...kept.flatMap((ledger) => toPointChecks(ledger, verified)),
      ]),
    );
  paragraphs.push(`## 3. ${tell(['The signatures', fr`Les signatures`])}`);
  if (verified.length === 0)
    paragraphs.push(
      tell([
        'No key of the pack verifies a signature in it.',
        fr`Aucune clé du dossier ne valide de signature qui s’y trouve.`,
      ]),
    );
  else
    paragraphs.push(
      tell([
        'A recipe is signed by the digest of its manifest, and the manifest names the digest of the document. The name of a folder is a claim: the name and version in its recipe.yaml count. A checkpoint is signed by the digest of the lines that came with it. A bundle has the signed bytes and the signature of the files with its name.',
        fr`Une recette est signée par l’empreinte de son manifeste, et le manifeste porte l’empreinte du document. Le nom d’un dossier n’est qu’une affirmation : le nom et la version dans son recipe.yaml font foi. Un point de contrôle est signé par l’empreinte des lignes arrivées avec lui. Un bundle a les octets signés et la signature des fichiers du même nom.`,
      ]),
      block([
        ...verify,
        ...evidence.recipes.flatMap(({ folder, digest, documentDigest }) =>
          folder === undefined || !digest.startsWith('sha256:')
            ? []
            : [
                `echo "${digestHex(digest)}  "${toShellWord(`${folder}/manifest.json`)} | sha256sum --check --quiet`,
                ...(documentDigest?.startsWith('sha256:')
                  ? [
                      `names ${toShellWord(`${folder}/manifest.json`)} ${digestHex(documentDigest)}`,
                      `echo "${digestHex(documentDigest)}  "${toShellWord(`${folder}/recipe.yaml`)} | sha256sum --check --quiet`,
                    ]
                  : []),
              ],
        ),
        ...verified.flatMap(toChecks),
        ...evidence.signatures.flatMap(({ path, bundle }) =>
          bundle === undefined ? [] : [`bundled ${toShellWord(path)} ${toShellWord(bundle)}`],
        ),
        ...parts.flatMap((part) => toPartChecks(part, evidence.signatures)),
      ]),
    );
  const named = kept.flatMap((ledger) => toNamedChecks(ledger, evidence.signatures));
  if (named.length > 0)
    paragraphs.push(
      tell([
        'A line names the digest of each receipt, passport and approval that it is about, so that no other one can take its place.',
        fr`Une ligne porte l’empreinte de chaque reçu, passeport et approbation dont elle parle : aucun autre ne peut en prendre la place.`,
      ]),
      block([...stated, ...named]),
    );
  const attested = verified.filter(isAttestation);
  if (attested.length > 0)
    paragraphs.push(
      tell([
        'These statements about recipes are none that cosign sign writes. They count only where their type approves a recipe for you: a scan or a rejection has a type too.',
        fr`Ces déclarations sur des recettes ne sont pas de celles qu’écrit cosign sign. Elles ne comptent que si leur type approuve une recette pour vous : une analyse ou un refus a aussi un type.`,
      ]),
      attested
        .map(({ path, predicateType }) => `- \`${path}.sigstore.json\`: \`${escapeText(predicateType!)}\``)
        .join('\n'),
    );
  const strange = evidence.signatures.filter(({ key }) => key === undefined);
  if (strange.length > 0)
    paragraphs.push(
      tell([
        'No key of the pack verifies these signatures. Ask for the public keys of their signers, and check them in the same way:',
        fr`Aucune clé du dossier ne valide ces signatures. Demandez les clés publiques de leurs signataires, et vérifiez-les de la même façon :`,
      ]),
      strange.map(({ path }) => `- \`${path}.sig\``).join('\n'),
    );
  const bundles = verified.filter(({ bundle }) => bundle !== undefined);
  if (bundles.length > 0)
    paragraphs.push(
      tell(['The same with cosign:', fr`La même chose avec cosign :`]),
      block(
        bundles.map(({ bundle, key, predicateType = '', subjects: [subject] }) => {
          const [algorithm] = subject!.split(':');
          const by = `--key ${toShellWord(key!)} --bundle ${toShellWord(bundle!)} --type ${toShellWord(predicateType)}`;
          const of = `--digest ${digestHex(subject!)} --digestAlg ${algorithm}`;
          return `cosign verify-blob-attestation --insecure-ignore-tlog ${by} ${of}`;
        }),
      ),
    );
  paragraphs.push(
    `## ${tell(['What this shows', fr`Ce que cela montre`])}`,
    tell([
      'The signatures show which key signed which bytes.',
      fr`Les signatures montrent quelle clé a signé quels octets.`,
    ]),
    ...(kept.length === 0
      ? []
      : [
          tell([
            'The chain shows that no line was changed, removed or added between the first line and a head that another site signed. Behind it, and up to a head under its own key, the lines are the word of the site that keeps the ledger.',
            fr`La chaîne montre qu’aucune ligne n’a été modifiée, retirée ou ajoutée entre la première et une tête signée par un autre site. Au-delà, et jusqu’à une tête signée par sa propre clé, les lignes sont la parole du site qui tient le journal de garde.`,
          ]),
        ]),
    tell([
      'index.html and evidence.json repeat the ledger and the signed files: where they differ, those count. svc evidence verify compares them.',
      fr`index.html et evidence.json répètent le journal de garde et les fichiers signés : en cas d’écart, ceux-ci font foi. svc evidence verify les compare.`,
    ]),
    tell([
      'Nobody can tell from a pack whether a line told the truth: the holder of the key of a site could have lied from the beginning.',
      fr`Un dossier ne dit pas si une ligne était vraie : le détenteur de la clé d’un site aurait pu mentir depuis le début.`,
    ]),
  );
  if (evidence.keys.length > 0)
    paragraphs.push(
      `## ${tell(['The keys', fr`Les clés`])}`,
      tell([
        'The name of a file says for whom the maker of the pack shows its key. The key of a site counts for receipts, checkpoints and passports of this site only, and that of a signer of recipes for recipes only.',
        fr`Le nom d’un fichier dit au nom de qui l’auteur du dossier montre sa clé. La clé d’un site ne vaut que pour les reçus, points de contrôle et passeports de ce site, et celle d’un signataire de recettes que pour les recettes.`,
      ]),
      evidence.keys.map(({ path, fingerprint }) => `- \`${path}\`: SHA-256 ${fingerprint}`).join('\n'),
    );
  return `${paragraphs.join('\n\n')}\n`;
}

function toChecks({ path, key, algorithm, subjects }: EvidenceSignature): readonly string[] {
  const [file, by] = [path, key!].map(toShellWord) as [string, string];
  return [
    ...subjects.map((digest) => `names ${toShellWord(`${path}.signed`)} ${digestHex(digest)}`),
    algorithm === 'ed25519' ? `ed25519 ${by} ${file}` : `hashed ${algorithm} ${by} ${file}`,
  ];
}

type Ledger = Evidence['ledgers'][number];

/** Checks that the lines that verified statements name are in a ledger: line N of its files has number N. */
function toPointChecks({ site, files }: Ledger, verified: readonly EvidenceSignature[]): readonly string[] {
  const points = verified.flatMap((one) => one.points ?? []).filter((point) => point.site === site);
  const all = files.map(toShellWord).join(' ');
  const lines = points.map(
    ({ seq, head }) =>
      `test "$(cat ${all} | sed -n ${seq}p | sha256sum | cut -d ' ' -f 1)" = ${digestHex(head)}`,
  );
  return [...new Set(lines)];
}

/** Checks that lines of a ledger have the digests of the statements that they are about. */
function toNamedChecks(
  { files, lines }: Ledger,
  signatures: readonly EvidenceSignature[],
): readonly string[] {
  const ledger = files.map(toShellWord).join(' ');
  const named = lines.flatMap(listNamed);
  const toStated = (name: string, beginning: string): string =>
    `stated ${toShellWord(JSON.stringify(name))} ${toShellWord(beginning)} ${ledger}`;
  return signatures.flatMap(({ kind, path, about: [name = ''], bundle }) => {
    if (kind === 'receipt') {
      const isNamed = lines.some(({ subjects }) => subjects.some((subject) => subject.name === name));
      return isNamed ? [`payload ${toShellWord(`${path}.signed`)} | ${toStated(name, '')}`] : [];
    }
    if (kind !== 'passport' && kind !== 'approval') return [];
    const digest = named.find(
      (one) => one.kind === kind && path.endsWith(`-${toShortDigest(one.digest)}`),
    )?.digest;
    if (digest === undefined) return [];
    const check = toStated(statementNames[kind], toShortDigest(digest));
    if (kind === 'approval') return bundle === undefined ? [] : [`${check} < ${toShellWord(bundle)}`];
    return [`payload ${toShellWord(`${path}.signed`)} | ${check}`];
  });
}

/** Checks the bytes of a part of a ledger against its checkpoint, whose subjects are the last line and this file. */
function toPartChecks(
  { files, checkpoint }: Ledger,
  signatures: readonly EvidenceSignature[],
): readonly string[] {
  const part = signatures.find(({ path }) => path === checkpoint)?.subjects[1];
  if (part === undefined) return [];
  return files.map((file) => `echo "${digestHex(part)}  "${toShellWord(file)} | sha256sum --check --quiet`);
}
