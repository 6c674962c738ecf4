import type { Worker } from 'node:worker_threads';
import type { CommandClass } from 'clipanion';
import { fr, type Sentence } from '../src/text/language.ts';
import type { CommandContext } from './cli/command-context.ts';

export interface CommandEntry {
  readonly path: readonly string[];
  /** One line, for the overview and the top of the help page. */
  readonly summary: Sentence;
  readonly load: () => Promise<CommandClass<CommandContext>>;
  /**
   * Starts the thread that takes longest to start, while the code of the command is loaded and its arguments
   * are parsed.
   */
  readonly startThread?: () => Promise<Worker>;
}

/** Every command by its path. The module of a command is loaded only when the command is used. */
export const commandIndex: readonly CommandEntry[] = [
  {
    path: ['quickstart'],
    summary: [
      'Set up an instance: store, state, first administrator, configuration',
      fr`Installe une instance : stockage, comptes, configuration`,
    ],
    load: async () => (await import('./quickstart.ts')).QuickstartCommand,
  },
  {
    path: ['serve'],
    summary: ['Run the instance', fr`Exécute l’instance`],
    load: async () => (await import('./serve.ts')).ServeCommand,
  },
  {
    path: ['sync'],
    summary: [
      'Synchronize a running instance, or plan it with --dry-run',
      fr`Synchronise une instance, ou établit le plan avec --dry-run`,
    ],
    load: async () => (await import('./sync.ts')).SyncCommand,
  },
  {
    path: ['status'],
    summary: [
      'Show whether an instance or a store has what is wanted, on one screen',
      fr`Affiche si une instance ou un stockage a ce qui est demandé`,
    ],
    load: async () => (await import('./status.ts')).StatusCommand,
  },
  {
    path: ['content', 'list'],
    summary: [
      'List the repositories of an instance or a store',
      fr`Liste les dépôts d’une instance ou d’un stockage`,
    ],
    load: async () => (await import('./content/list.ts')).ContentListCommand,
  },
  {
    path: ['content', 'show'],
    summary: [
      'Show a repository or a version, with the commands that pull it',
      fr`Affiche un dépôt ou une version, et les commandes qui la récupèrent`,
    ],
    load: async () => (await import('./content/show.ts')).ContentShowCommand,
  },
  {
    path: ['task', 'list'],
    summary: [
      'List the tasks of an instance, newest first',
      fr`Liste les tâches d’une instance, la plus récente d’abord`,
    ],
    load: async () => (await import('./task/list.ts')).TaskListCommand,
  },
  {
    path: ['task', 'show'],
    summary: ['Show a task of an instance', fr`Affiche une tâche d’une instance`],
    load: async () => (await import('./task/show.ts')).TaskShowCommand,
  },
  {
    path: ['task', 'log'],
    summary: ['Print the log of a task of an instance', fr`Affiche le journal d’une tâche d’une instance`],
    load: async () => (await import('./task/log.ts')).TaskLogCommand,
  },
  {
    path: ['task', 'wait'],
    summary: [
      'Wait for a task, and exit with the code of its outcome',
      fr`Attend une tâche et se termine avec le code de son résultat`,
    ],
    load: async () => (await import('./task/wait.ts')).TaskWaitCommand,
  },
  {
    path: ['export'],
    summary: [
      'Write the store, or a part of it, as an OCI image layout',
      fr`Écrit le stockage, ou une partie, en disposition d’images OCI`,
    ],
    load: async () => (await import('./export.ts')).ExportCommand,
  },
  {
    path: ['import'],
    summary: [
      'Import an OCI image layout into the store',
      fr`Importe une disposition d’images OCI dans le stockage`,
    ],
    load: async () => (await import('./import.ts')).ImportCommand,
  },
  {
    path: ['media', 'show'],
    summary: [
      'Show what is on a carried disk, without verifying it',
      fr`Affiche ce que contient un disque transporté, sans le vérifier`,
    ],
    load: async () => (await import('./media/show.ts')).MediaShowCommand,
  },
  {
    path: ['media', 'verify'],
    summary: [
      'Verify a carried store without changing anything',
      fr`Vérifie un stockage transporté sans rien modifier`,
    ],
    load: async () => (await import('./media/verify.ts')).MediaVerifyCommand,
  },
  {
    path: ['media', 'write'],
    summary: [
      'Write recipes onto disks for a zone, without what it has',
      fr`Écrit des recettes sur des disques pour une zone, sans ce qu’elle a`,
    ],
    load: async () => (await import('./media/write.ts')).MediaWriteCommand,
  },
  {
    path: ['media', 'prove'],
    summary: [
      'Prove before departure that a zone would come up from a delivery',
      fr`Prouve avant le départ qu’une zone démarrerait à partir d’une livraison`,
    ],
    load: async () => (await import('./media/prove.ts')).MediaProveCommand,
  },
  {
    path: ['media', 'import'],
    summary: [
      'Verify a carried store and push what passes to the destination',
      fr`Vérifie un stockage transporté et pousse ce qui est validé`,
    ],
    load: async () => (await import('./media/import.ts')).MediaImportCommand,
  },
  {
    path: ['media', 'status'],
    summary: [
      'List the deliveries that arrived, and the disks that are missing',
      fr`Liste les livraisons arrivées, et les disques manquants`,
    ],
    load: async () => (await import('./media/status.ts')).MediaStatusCommand,
  },
  {
    path: ['media', 'forget'],
    summary: [
      'Forget a delivery whose missing disks will not come',
      fr`Oublie une livraison dont les disques manquants ne viendront pas`,
    ],
    load: async () => (await import('./media/forget.ts')).MediaForgetCommand,
  },
  {
    path: ['store', 'check'],
    summary: ['Check a store by hashing every blob', fr`Contrôle un stockage en hachant chaque blob`],
    load: async () => (await import('./store/check.ts')).StoreCheckCommand,
  },
  {
    path: ['fileset', 'pack'],
    summary: [
      'Pack a folder into the store as a FileSet',
      fr`Empaquette un dossier dans le stockage sous forme de FileSet`,
    ],
    load: async () => (await import('./fileset/pack.ts')).FilesetPackCommand,
    startThread: async () => (await import('../src/fileset/start-pack-thread.ts')).startPackThread(),
  },
  {
    path: ['recipe', 'init'],
    summary: [
      'Draft a recipe from charts, manifests, compose files and image lists',
      fr`Rédige une recette d’après charts, manifestes, compose et listes d’images`,
    ],
    load: async () => (await import('./recipe/init.ts')).RecipeInitCommand,
  },
  {
    path: ['recipe', 'push'],
    summary: [
      'Publish a pinned recipe into a cookbook',
      fr`Publie une recette figée dans un livre de recettes`,
    ],
    load: async () => (await import('./recipe/push.ts')).RecipePushCommand,
  },
  {
    path: ['recipe', 'pin'],
    summary: [
      'Pin the constraints and tags of a recipe to digests',
      fr`Fige les contraintes et étiquettes d’une recette en empreintes`,
    ],
    load: async () => (await import('./recipe/pin.ts')).RecipePinCommand,
  },
  {
    path: ['recipe', 'sign'],
    summary: ['Sign a published recipe', fr`Signe une recette publiée`],
    load: async () => (await import('./recipe/sign.ts')).RecipeSignCommand,
  },
  {
    path: ['recipe', 'lint'],
    summary: [
      'Check recipe documents, drafts included',
      fr`Contrôle des documents de recette, brouillons compris`,
    ],
    load: async () => (await import('./recipe/lint.ts')).RecipeLintCommand,
  },
  {
    path: ['recipe', 'show'],
    summary: [
      'Show what a recipe is made of, and whether its signature verifies',
      fr`Affiche de quoi une recette est faite, et si sa signature est valide`,
    ],
    load: async () => (await import('./recipe/show.ts')).RecipeShowCommand,
  },
  {
    path: ['recipe', 'diff'],
    summary: [
      'Compare two recipes: every member that differs, and the bytes to transfer',
      fr`Compare deux recettes : chaque différence, et les octets à transférer`,
    ],
    load: async () => (await import('./recipe/diff.ts')).RecipeDiffCommand,
  },
  {
    path: ['recipe', 'mapping'],
    summary: [
      'Show where the ingredients of a recipe are, with mirror files for nodes',
      fr`Affiche où sont les ingrédients d’une recette, et des fichiers pour nœuds`,
    ],
    load: async () => (await import('./recipe/mapping.ts')).RecipeMappingCommand,
  },
  {
    path: ['retriever', 'init'],
    summary: ['Print a Retriever: the recipes of a zone', fr`Affiche un Retriever : les recettes d’une zone`],
    load: async () => (await import('./retriever/init.ts')).RetrieverInitCommand,
  },
  {
    path: ['retriever', 'lint'],
    summary: [
      'Check Retrievers for mistakes, each with its line',
      fr`Cherche des erreurs dans des Retrievers, chacune avec sa ligne`,
    ],
    load: async () => (await import('./retriever/lint.ts')).RetrieverLintCommand,
  },
  {
    path: ['retriever', 'resolve'],
    summary: [
      'Show what each entry of a Retriever picks today',
      fr`Affiche ce que chaque entrée d’un Retriever choisit aujourd’hui`,
    ],
    load: async () => (await import('./retriever/resolve.ts')).RetrieverResolveCommand,
  },
  {
    path: ['user', 'add'],
    summary: ['Create an account', fr`Crée un compte`],
    load: async () => (await import('./user/add.ts')).UserAddCommand,
  },
  {
    path: ['user', 'list'],
    summary: ['List the accounts', fr`Liste les comptes`],
    load: async () => (await import('./user/list.ts')).UserListCommand,
  },
  {
    path: ['user', 'passwd'],
    summary: ['Set the password of an account', fr`Définit le mot de passe d’un compte`],
    load: async () => (await import('./user/passwd.ts')).UserPasswdCommand,
  },
  {
    path: ['user', 'role'],
    summary: ['Change the role of an account', fr`Change le rôle d’un compte`],
    load: async () => (await import('./user/role.ts')).UserRoleCommand,
  },
  {
    path: ['user', 'remove'],
    summary: ['Delete an account', fr`Supprime un compte`],
    load: async () => (await import('./user/remove.ts')).UserRemoveCommand,
  },
  {
    path: ['token', 'create'],
    summary: ['Create an API token', fr`Crée un jeton d’API`],
    load: async () => (await import('./token/create.ts')).TokenCreateCommand,
  },
  {
    path: ['token', 'list'],
    summary: ['List the API tokens', fr`Liste les jetons d’API`],
    load: async () => (await import('./token/list.ts')).TokenListCommand,
  },
  {
    path: ['token', 'revoke'],
    summary: ['Revoke an API token', fr`Révoque un jeton d’API`],
    load: async () => (await import('./token/revoke.ts')).TokenRevokeCommand,
  },
  {
    path: ['client', 'config'],
    summary: [
      'Print the configuration of a client of the nodes',
      fr`Affiche la configuration d’un client des nœuds`,
    ],
    load: async () => (await import('./client-config/config.ts')).ClientConfigCommand,
  },
  {
    path: ['client', 'test'],
    summary: [
      'Test with the real client that nodes find the content here',
      fr`Essaie avec le vrai client que les nœuds trouvent ici le contenu`,
    ],
    load: async () => (await import('./client-test/test.ts')).ClientTestCommand,
  },
  {
    path: ['key', 'new'],
    summary: ['Create a key pair for signing', fr`Crée une paire de clés pour signer`],
    load: async () => (await import('./key/new.ts')).KeyNewCommand,
  },
  {
    path: ['key', 'show'],
    summary: [
      'Show type, fingerprint and public key of a key',
      fr`Affiche le type, l’empreinte et la clé publique d’une clé`,
    ],
    load: async () => (await import('./key/show.ts')).KeyShowCommand,
  },
  {
    path: ['receipt', 'write'],
    summary: [
      'Sign what the registry of this zone holds',
      fr`Signe ce que le registre de cette zone détient`,
    ],
    load: async () => (await import('./receipt/write.ts')).ReceiptWriteCommand,
  },
  {
    path: ['receipt', 'add'],
    summary: ['Verify and keep receipts of other zones', fr`Vérifie et garde des reçus d’autres zones`],
    load: async () => (await import('./receipt/add.ts')).ReceiptAddCommand,
  },
  {
    path: ['receipt', 'list'],
    summary: ['List the last receipt of each zone', fr`Liste le dernier reçu de chaque zone`],
    load: async () => (await import('./receipt/list.ts')).ReceiptListCommand,
  },
  {
    path: ['receipt', 'show'],
    summary: ['Show what a receipt states', fr`Affiche ce qu’un reçu déclare`],
    load: async () => (await import('./receipt/show.ts')).ReceiptShowCommand,
  },
  {
    path: ['zones'],
    summary: [
      'Show the recipes of each zone, and the deliveries on their way',
      fr`Affiche ce que chaque zone a, et ce qui est en route`,
    ],
    load: async () => (await import('./zones.ts')).ZonesCommand,
  },
  {
    path: ['deliveries'],
    summary: [
      'Show each delivery that was written or received, and its next step',
      fr`Affiche chaque livraison écrite ou reçue, et son étape suivante`,
    ],
    load: async () => (await import('./deliveries.ts')).DeliveriesCommand,
  },
  {
    path: ['history'],
    summary: [
      'List the kept audit records, newest first',
      fr`Liste les enregistrements d’audit conservés, du plus récent au plus ancien`,
    ],
    load: async () => (await import('./history.ts')).HistoryCommand,
  },
  {
    path: ['evidence', 'pack'],
    summary: [
      'Write a folder of evidence for auditors, checkable without svc',
      fr`Écrit un dossier de preuves pour les auditeurs, vérifiable sans svc`,
    ],
    load: async () => (await import('./evidence/pack.ts')).EvidencePackCommand,
  },
  {
    path: ['evidence', 'verify'],
    summary: ['Check a folder of evidence', fr`Vérifie un dossier de preuves`],
    load: async () => (await import('./evidence/verify.ts')).EvidenceVerifyCommand,
  },
  {
    path: ['custody', 'list'],
    summary: [
      'List the lines of the custody ledger, newest first',
      fr`Liste les lignes du journal de garde, les récentes d’abord`,
    ],
    load: async () => (await import('./custody/list.ts')).CustodyListCommand,
  },
  {
    path: ['custody', 'note'],
    summary: ['Note who took over a delivery', fr`Note à qui une livraison a été remise`],
    load: async () => (await import('./custody/note.ts')).CustodyNoteCommand,
  },
  {
    path: ['custody', 'approve'],
    summary: [
      'Sign an approval of a recipe for the ledger',
      fr`Signe l’approbation d’une recette pour le journal de garde`,
    ],
    load: async () => (await import('./custody/approve.ts')).CustodyApproveCommand,
  },
  {
    path: ['custody', 'verify'],
    summary: ['Check every line of the custody ledger', fr`Contrôle chaque ligne du journal de garde`],
    load: async () => (await import('./custody/verify.ts')).CustodyVerifyCommand,
  },
  {
    path: ['trust', 'show'],
    summary: [
      'Show the trust roots, scopes and peers in force',
      fr`Affiche les racines et portées de confiance et les pairs en vigueur`,
    ],
    load: async () => (await import('./trust/show.ts')).TrustShowCommand,
  },
  {
    path: ['trust', 'fingerprint'],
    summary: ['Show the fingerprint of a public key', fr`Affiche l’empreinte d’une clé publique`],
    load: async () => (await import('./trust/fingerprint.ts')).TrustFingerprintCommand,
  },
  {
    path: ['config', 'dump'],
    summary: [
      'Show the merged configuration, secrets redacted',
      fr`Affiche la configuration fusionnée, secrets masqués`,
    ],
    load: async () => (await import('./config/dump.ts')).ConfigDumpCommand,
  },
  {
    path: ['config', 'schema'],
    summary: [
      'Print the JSON Schema of the configuration file',
      fr`Affiche le schéma JSON du fichier de configuration`,
    ],
    load: async () => (await import('./config/schema.ts')).ConfigSchemaCommand,
  },
  {
    path: ['explain'],
    summary: [
      'Explain an error code: what it means, why, what to do',
      fr`Explique un code d’erreur : ce qu’il signifie, pourquoi, que faire`,
    ],
    load: async () => (await import('./explain.ts')).ExplainCommand,
  },
  {
    path: ['version'],
    summary: [
      'Show version, commit, build date and runtime',
      fr`Affiche version, commit, date de construction et environnement`,
    ],
    load: async () => (await import('./version.ts')).VersionCommand,
  },
  {
    path: ['completion'],
    summary: [
      'Print the completion script of a shell',
      fr`Affiche le script de complétion d’un interpréteur`,
    ],
    load: async () => (await import('./completion.ts')).CompletionCommand,
  },
];
