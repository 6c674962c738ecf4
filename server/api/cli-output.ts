import { sourceFormats } from '../../src/authoring/door.ts';
import { toConfigJsonSchema } from '../../src/config/config-json-schema.ts';
import { lintCounts, lintFindings, pinReport, ShownRecipe } from '../../src/contract/authoring.ts';
import { role as roleSchema, strings } from '../../src/contract/common.ts';
import { Repository, Tag } from '../../src/contract/content.ts';
import { custodyApproval, custodyCheck, custodyNote } from '../../src/contract/custody.ts';
import { DeliveryList, KnownDelivery } from '../../src/contract/delivery.ts';
import { ErrorRecord } from '../../src/contract/error.ts';
import { absentStatements, claimedMedium, Evidence } from '../../src/contract/evidence.ts';
import { packedFileset } from '../../src/contract/fileset.ts';
import { LayoutExport, LayoutImport, LayoutPlan, taskId } from '../../src/contract/layout.ts';
import { MediumReport, mediumClaims } from '../../src/contract/medium.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { listAccounts, listTokens } from '../../src/contract/operations/access.ts';
import { listContent } from '../../src/contract/operations/content.ts';
import { listCustody } from '../../src/contract/operations/custody.ts';
import { listHistory } from '../../src/contract/operations/history.ts';
import { forgetDelivery, importMedium } from '../../src/contract/operations/media.ts';
import { listReceipts } from '../../src/contract/operations/receipts.ts';
import { diffRecipes, getRecipeMapping } from '../../src/contract/operations/recipes.ts';
import { getTask } from '../../src/contract/operations/tasks.ts';
import { PlanAnswer, PlanProblem } from '../../src/contract/plan.ts';
import { MediumProof } from '../../src/contract/proof.ts';
import {
  addedReceipt,
  ReceiptSummary,
  receiptPredicate,
  receiptSummary,
  receivedRecipe,
} from '../../src/contract/receipt.ts';
import { ClientConfig, PruneProjection, PublishedRecipe } from '../../src/contract/recipe.ts';
import { Rule } from '../../src/contract/rule.ts';
import {
  anyOf,
  boolean,
  choice,
  described,
  digest,
  inline,
  integer,
  list,
  object,
  resolve,
  type Schema,
  string,
  timestamp,
} from '../../src/contract/schema.ts';
import { Status } from '../../src/contract/status.ts';
import { StoreCheckReport } from '../../src/contract/store.ts';
import { Task, TaskSummaryList } from '../../src/contract/task.ts';
import { MediumWriting } from '../../src/contract/write-medium.ts';
import { ZoneBoard } from '../../src/contract/zone-board.ts';

/** Document of a command that ends without a report. */
const error = object({
  code: string,
  class: { enum: ['failure', 'policy', 'verification', 'usage'] },
  exit_code: integer,
  title: string,
  cause: string,
  action: string,
  params: { type: 'object' },
  'detail?': string,
  'rules?': { type: 'object' },
  'detailRules?': list({ type: 'object' }),
});
const failure = object({ error });

/** A task, with its folder as the command line names it. */
const folderTask: Schema = {
  ...resolve(Task),
  properties: { folder: string, ...resolve(Task).properties },
  required: ['folder', ...resolve(Task).required!],
};

/** Folders of which one command imports several. */
const folderErrors = described(
  'Folders whose medium could not be imported: it is absent, blocked as a whole, or was exchanged',
  list(object({ folder: string, error })),
);

/** The document of a command that prints the answer of an operation. */
const toAnswer = ({ answer }: Operation): Schema => answer.schema!;

/** A version, with the commands that pull it; they are absent when the address of the registry is not known. */
const versionWithPull: Schema = {
  ...resolve(Tag),
  properties: {
    ...resolve(Tag).properties,
    pull: described(
      'Commands that pull the version, one for each client and platform',
      list(object({ client: string, command: string, 'platform?': string })),
    ),
    login: described(
      'Commands that sign each client in, with a token in the file `token`; absent where no sign-in is needed',
      list(object({ client: string, command: string })),
    ),
  },
};

/** Files that could not be read; absent when all were. */
const unreadFiles: Readonly<Record<string, Schema>> = {
  'unread?': described(
    'Files that could not be read; absent when all were',
    list(object({ file: string, error: ErrorRecord })),
  ),
};

const pinOutput: Schema = object({
  file: described('The draft', string),
  'written?': described('The file that was written; absent when none was', string),
  ...pinReport,
});

const { repository: _, ...pushedFileset } = packedFileset;

const packageKind: Schema = { enum: ['apt', 'rpm'] };
const madeIndex: Schema = object({
  kind: packageKind,
  files: list(string),
  'signedBy?': string,
  'kept?': described('True: the files were there, describe the packages and are signed by that key', boolean),
});
const rpms: Schema = object({
  packages: integer,
  unsigned: described('Packages without a signature of their own', integer),
});
const preparedFolder: Readonly<Record<string, Schema>> = {
  'rpms?': rpms,
  'index?': madeIndex,
  'check?': object({
    repositories: list(object({ folder: string, kind: packageKind })),
    packages: integer,
    files: integer,
    bytes: integer,
  }),
};

const wantedCount = (meaning: string): Schema => described(meaning, integer);

const recipeToSign = {
  reference: described('The recipe by its digest', string),
  digest,
  name: string,
  version: string,
  ingredients: described('Number of ingredients', integer),
  layout: { enum: ['bundle', 'classic'] },
};

const signedRecipe: Schema = object({
  ...recipeToSign,
  keyFingerprint: string,
  signature: described('Digest of the signature artifact', digest),
  unchanged: described('Whether this key had signed it before', boolean),
});

/** Status of an instance, or of a store that was read without one. */
const zoneStatus: Schema = {
  ...resolve(Status),
  required: [
    'version',
    'gate',
    'occupancy',
    'pending',
    'unimported',
    'notices',
    'verdict',
    'counts',
    'wanted',
    'exit_code',
  ],
  properties: {
    ...resolve(Status).properties,
    instance: described('URL of the instance; absent for a store that was read without one', string),
    store: described(
      'The store that was read; absent for an instance',
      object({ root: string, mediaId: string, standing: { enum: ['ours', 'foreign'] } }),
    ),
    verdict: described('Whether what is wanted is here', {
      enum: [
        'closed',
        'run-failed',
        'missing',
        'gone',
        'damaged',
        'complete',
        'overtaken',
        'blocked',
        'unimported',
        'here',
        'nothing',
      ],
    }),
    counts: described(
      'Recipes by state',
      object({
        wanted: wantedCount('Recipes that are wanted'),
        present: wantedCount('Recipes that are here and whole'),
        damaged: wantedCount('Recipes that are here, and of which the store has lost a part'),
        missing: wantedCount('Recipes that are not here, for another reason than a refusal'),
        blocked: wantedCount('Recipes that a rule or a verification refused'),
        unimported: wantedCount('Recipes of the verified medium that wait for its import'),
      }),
    ),
    wanted: described(
      'Recipes that are wanted, as they stand now',
      list(
        object({
          name: string,
          version: string,
          'requested?': string,
          'lowerThan?': described(
            'Higher version that was here at the last run, where the source offered it no longer',
            string,
          ),
          state: { enum: ['present', 'damaged', 'missing', 'blocked', 'gone', 'unimported'] },
          'code?': string,
          'delivery?': described(
            'The open delivery that is to bring it',
            object({ id: string, writtenAt: timestamp, parts: integer, needed: list(integer) }),
          ),
        }),
      ),
    ),
    lastRun: described(
      'The run that ended last',
      object({
        ...{ id: string, type: string, status: string, 'finishedAt?': string, 'code?': string },
        'counts?': object({ total: integer, done: integer, failed: integer, skipped: integer }),
      }),
    ),
    exit_code: described('Exit code of the command', integer),
  },
};

/** JSON document of each reporting command (`--output json`), by command path. */
const commands: Readonly<Record<string, Schema>> = {
  'svc version': object({
    version: string,
    commit: string,
    date: string,
    runtime: string,
    os: string,
    arch: string,
    apiMajor: integer,
    exitCodes: list(object({ code: integer, name: string })),
  }),
  'svc client config': ClientConfig,
  'svc client test': object({
    client: { enum: ['containerd', 'crio', 'podman', 'helm', 'apt', 'dnf'] },
    program: described('The program that was run', { enum: ['ctr', 'podman', 'helm', 'apt-get', 'dnf'] }),
    version: described('Version of the program', string),
    checks: list(
      object({
        reference: described('As a node names it', string),
        resolved: described('Where the configuration leads', string),
        outcome: { enum: ['pulled', 'failed', 'fallback', 'skipped'] },
        milliseconds: integer,
        'detail?': described('What the client said last, or whom it asked', string),
      }),
    ),
  }),
  'svc trust show': object({
    roots: list(
      object({
        name: string,
        source: { enum: ['inline', 'file', 'url'] },
        'location?': string,
        'type?': string,
        'fingerprint?': string,
        'predicates?': list(string),
      }),
    ),
    scopes: list(
      object({ name: string, repositories: list(string), allowUnsigned: boolean, 'roots?': list(string) }),
    ),
    peers: list(
      object({
        name: string,
        keyFile: string,
        type: string,
        fingerprint: string,
        for: list({ enum: ['receipt', 'passport', 'checkpoint', 'approval'] }),
      }),
    ),
  }),
  'svc receipt write': object({
    receipt: described('The receipt', ReceiptSummary),
    file: described('Path of the receipt', string),
    'inventory?': described('Path of the list of blobs', string),
    notPresent: described('Recipes that lack content, or that a check refused', list(receivedRecipe)),
  }),
  'svc receipt add': object({
    receipts: list(object({ file: string, ...addedReceipt })),
    ...unreadFiles,
  }),
  'svc receipt list': toAnswer(listReceipts),
  'svc deliveries': object({
    deliveries: described('The deliveries, the last begun first unless told', list(KnownDelivery)),
  }),
  'svc zones': object({ zones: described('The zones in the order of the configuration', list(ZoneBoard)) }),
  'svc history': toAnswer(listHistory),
  'svc evidence pack': object({ folder: string, evidence: Evidence }),
  'svc evidence verify': object({
    folder: string,
    ok: described('Whether everything holds', boolean),
    files: described('Number of checked files', integer),
    signatures: described(
      'Signatures that a given key verifies in its role',
      list(
        object({
          path: string,
          kind: string,
          about: list(string),
          keyFile: described('File of the key, as it was given', string),
          keyFingerprint: string,
          'predicateType?': described('Of the signed statement; absent for a classic signature', string),
          role: choice('What the key was given for', {
            site: 'the statements of a site',
            signer: 'recipes',
            approver: 'approvals of recipes',
          }),
          'site?': described('The site for which the key was given; absent in another role', string),
        }),
      ),
    ),
    lines: choice('Whether the lines are those of a ledger in the pack', {
      checked: 'they are',
      unchecked: 'the pack has no ledger, as for withheld actors',
    }),
    witnessed: described(
      'Number of the last line of the ledger of the site that verified statements name',
      object({
        'own?': described('Under its own key, which proves nothing to others; absent: none does', integer),
        others: described('In statements of other sites', list(object({ site: string, seq: integer }))),
      }),
    ),
    forgotten: described(
      'Receipts and passports that lines name and the pack does not have: a site keeps the latest only',
      absentStatements,
    ),
    unsigned: described(
      'Recipes that no given key signed, or that the pack does not have',
      list(
        object({
          name: string,
          version: string,
          digest,
          'missing?': described('Code of the error for which the pack does not have it', string),
        }),
      ),
    ),
    'claimed?': described(
      'Disks without a passport that name a delivery, where a passport vouches for another medium of it',
      list(object({ delivery: string, ...claimedMedium })),
    ),
    'shared?': described(
      'Identifiers that deliveries of several senders have, with the peers whose passports vouch for some',
      list(object({ delivery: string, peers: strings })),
    ),
    page: choice('Whether `index.html` and `VERIFY.md` are those of `evidence.json`', {
      same: 'byte for byte',
      different: 'one is another text, or was not reached',
      uncompared: 'another version made them, or the pack could not be read so far',
    }),
    findings: described('What does not hold', list(object({ code: string, detail: string }))),
  }),
  'svc custody list': toAnswer(listCustody),
  'svc custody note': custodyNote,
  'svc custody approve': custodyApproval,
  'svc custody verify': custodyCheck,
  'svc receipt show': object({
    ...receiptSummary,
    statement: described('The statement of the zone', receiptPredicate),
    subjects: described('Files that the receipt signs', list(object({ 'name?': string, digest }))),
  }),
  'svc key new': object({ keyFile: string, publicFile: string, type: string, fingerprint: string }),
  'svc key show': object({
    file: string,
    type: string,
    fingerprint: string,
    private: described('Whether the file has a private key', boolean),
    publicKey: described('PEM', string),
  }),
  'svc trust fingerprint': object({
    keys: list(object({ file: string, type: string, fingerprint: string })),
  }),
  'svc explain': object({
    errors: list(
      object({
        code: string,
        class: { enum: ['failure', 'policy', 'verification'] },
        exit_code: integer,
        status: integer,
        title: string,
        cause: string,
        action: string,
        params: list(string),
      }),
    ),
  }),
  'svc config schema': { type: 'object', required: ['$schema', 'properties'] },
  'svc user add': object({ name: string, 'role?': roleSchema, 'first?': boolean }),
  'svc user passwd': object({ name: string, role: roleSchema, 'first?': boolean }),
  'svc user list': toAnswer(listAccounts),
  'svc user role': object({ name: string, role: roleSchema, formerRole: roleSchema }),
  'svc user remove': object({ name: string, role: roleSchema }),
  'svc token create': object({ name: string, role: roleSchema, secret: string }),
  'svc token list': toAnswer(listTokens),
  'svc token revoke': object({ name: string, role: roleSchema }),
  'svc recipe show': ShownRecipe,
  'svc recipe diff': toAnswer(diffRecipes),
  'svc recipe pin': pinOutput,
  'svc recipe push': {
    ...resolve(PublishedRecipe),
    properties: {
      ...resolve(PublishedRecipe).properties,
      signed: described('The signature, with --sign-key', signedRecipe),
    },
  },
  'svc recipe sign': {
    oneOf: [
      signedRecipe,
      object({
        ...recipeToSign,
        payload: described('File with the bytes to sign, with --payload-out', string),
      }),
    ],
  },
  'svc retriever init': object({
    zone: string,
    cookbook: string,
    recipes: described('Recipes as given, `<name>@<version or range>`', list(string)),
    document: described('The Retriever', string),
  }),
  'svc retriever lint': object({
    files: list(
      object({
        file: string,
        findings: list(
          object({
            rule: string,
            severity: { enum: ['error', 'warning'] },
            path: described('Member of the document', string),
            'line?': described('Line of the document, from 1', integer),
            message: string,
            'fix?': described('What to change', string),
          }),
        ),
      }),
    ),
    ...unreadFiles,
  }),
  'svc recipe init': object({
    name: string,
    document: described('The draft', string),
    'out?': described('File that has the draft', string),
    sources: list(
      object({
        source: string,
        format: { enum: [...sourceFormats] },
        images: described('Images that the source names', integer),
        charts: described('Charts that the source names', integer),
      }),
    ),
    ingredients: list(
      object({
        name: string,
        kind: { enum: ['ContainerImage', 'HelmChart', 'OCIArtifact', 'FileSet'] },
        ref: string,
        'version?': described('Tag or constraint', string),
        'digest?': digest,
        platforms: list(string),
        origins: described('Where it was found', list(string)),
        'doubt?': described('Why it is a comment only', string),
        'renamedFrom?': described('The name that another ingredient has', string),
        'missingDependencies?': described(
          'Dependencies that a pushed chart declares and does not embed',
          list(string),
        ),
        'pushed?': described(
          'The FileSet that was packed from a folder of this machine',
          object({
            files: described('Files in it', integer),
            bytes: described('Bytes of its layer', integer),
            unchanged: described('Whether the registry had the version with this content', boolean),
          }),
        ),
      }),
    ),
    omissions: described(
      'References of the sources that the draft lacks',
      list(
        object({
          source: string,
          what: string,
          where: string,
          reason: string,
          'detail?': described('What is wrong with its content', string),
          'detailRule?': Rule,
        }),
      ),
    ),
  }),
  'svc fileset pack': {
    anyOf: [
      described(
        'The FileSet was packed into the store',
        object({ fileset: object(packedFileset), ...preparedFolder, 'taskId?': taskId }),
      ),
      described(
        'The FileSet was packed into a registry',
        object({
          fileset: object(pushedFileset),
          push: object({
            unchanged: described('Whether the registry had this content under the version before', boolean),
          }),
          ...preparedFolder,
          'taskId?': taskId,
        }),
      ),
      described(
        'The index is to be signed elsewhere, and nothing was packed',
        object({ index: madeIndex, 'rpms?': rpms }),
      ),
    ],
  },
  'svc retriever resolve': object({
    source: string,
    zone: described('Name of the Retriever', string),
    recipes: list(
      object({
        name: string,
        requested: described('Version or constraint of the entry', string),
        cookbook: string,
        'effective?': described('Repository that was contacted, where it is not the nominal one', string),
        'version?': string,
        'digest?': digest,
        signature: { enum: ['verified', 'unsigned-admitted', 'refused', 'not-evaluated'] },
        'root?': described('Trust root that signed it', string),
        'keyFingerprint?': string,
        'trustScope?': string,
        'ingredients?': described('Number of ingredients', integer),
        'problem?': PlanProblem,
      }),
    ),
    exit_code: integer,
  }),
  'svc recipe lint': object({
    files: list(object({ file: string, findings: lintFindings, 'omitted?': integer })),
    ...unreadFiles,
    ...lintCounts,
  }),
  'svc sync': {
    oneOf: [
      object({
        instance: string,
        waited: boolean,
        'prunePreview?': PruneProjection,
        task: Task,
      }),
      PlanAnswer,
    ],
  },
  'svc status': zoneStatus,
  'svc content list': toAnswer(listContent),
  'svc content show': { anyOf: [Repository, versionWithPull] },
  'svc task list': TaskSummaryList,
  'svc task show': toAnswer(getTask),
  'svc task log': object({ id: string, log: string }),
  'svc task wait': object({ instance: string, waited: boolean, task: Task }),
  'svc recipe mapping': toAnswer(getRecipeMapping),
  'svc media show': object({
    folder: described('Real path of the folder', string),
    verified: described('Always false: only `svc media verify` verifies a medium', { const: false }),
    medium: mediumClaims,
    recipes: described(
      'Recipes that the medium claims to carry',
      list(object({ name: string, version: string, repository: string, digest })),
    ),
    otherRecipes: described('Recipe artifacts that are not part of the delivery', integer),
    'volume?': object({
      filesystem: described('Type of the filesystem', string),
      freeBytes: integer,
      totalBytes: described('Size of the volume in bytes', integer),
    }),
  }),
  'svc store check': StoreCheckReport,
  'svc export': { anyOf: [LayoutExport, LayoutPlan] },
  'svc import': LayoutImport,
  'svc media verify': MediumReport,
  'svc media write': MediumWriting,
  'svc media prove': MediumProof,
  'svc media import': anyOf(
    toAnswer(importMedium),
    object({
      'error?': described('The first of the errors, where no task ran', error),
      tasks: described('One for each folder that was read, where several are given', list(folderTask)),
      'errors?': folderErrors,
    }),
  ),
  'svc media status': DeliveryList,
  'svc media forget': toAnswer(forgetDelivery),
};

/**
 * Renders the JSON Schema (draft 2020-12) of the documents of the command line. Each definition is
 * self-contained.
 */
export function renderCliSchema(): string {
  const definitions = Object.fromEntries(
    Object.entries(commands).map(([name, schema]) => [name, inline({ anyOf: [schema, failure] })]),
  );
  // closed: the configuration has no other keys
  definitions['svc config dump'] = { anyOf: [toConfigJsonSchema(), inline(failure)] };
  return `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Documents that svc prints with --output json',
      $defs: definitions,
    },
    undefined,
    2,
  )}\n`;
}
