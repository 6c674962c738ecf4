import type { Messages } from './message.ts';

/**
 * What happened, the probable cause, what to do. `{name}` is a parameter, `{name:size}` one in bytes; what stands in
 * square brackets is left out when a parameter in it is absent.
 */
export const messagesEn: Messages = {
  'SVC-AUTH-001': {
    what: 'The instance does not start: authentication is on, and no account could sign in[ ({detail})].',
    cause:
      'No account has been created yet, or no state folder (state.root) is configured to keep accounts in.',
    action:
      'Set state.root (--state-root), then create the first administrator with: svc user add <name>; or let svc quickstart set everything up. It is never opened without accounts by default.',
  },
  'SVC-AUTH-002': {
    what: 'The request carries no credential that this instance accepts.',
    cause:
      'No user name and password or token was sent, the password is wrong, or the account or token has been removed or revoked.',
    action: 'Sign in again, or give a current token (svc sync: --token-file or SVC_API_TOKEN).',
  },
  'SVC-AUTH-003': {
    what: 'The role of this account or token does not allow the request: it needs {role}.',
    cause: 'Roles are viewer, operator and admin; each may do what the ones before it may.',
    action: 'Use an account or token with the role {role}, or ask an administrator to grant it.',
  },
  'SVC-AUTH-004': {
    what: 'The request was refused because its origin could not be established.',
    cause:
      'The form is older than the session, the page was opened in another window before signing in, or another site sent the request.',
    action:
      'Reload the page and try again from there. Programs should send Basic or Bearer credentials instead of a cookie.',
  },
  'SVC-AUTH-005': {
    what: 'The session has ended.',
    cause: 'It ran out, the instance was restarted, or the password or role of the account has changed.',
    action: 'Sign in again.',
  },
  'SVC-AUTH-006': {
    what: 'The current password is not right, so nothing was changed.',
    cause: 'It was mistyped, or somebody changed it in the meantime.',
    action:
      'Enter the current password again. When it is lost, an administrator can set one: svc user passwd <name>.',
  },
  'SVC-AUTH-007': {
    what: 'The new password is not acceptable[: {rule}].',
    cause: 'A password has 1 to 1024 bytes, no control characters, and does not start with svc_.',
    action: 'Choose another password.',
  },
  'SVC-AUTH-008': {
    what: 'The account or token cannot be made or changed like this: {rule}.',
    cause: 'A name or a role is not one that the service knows.',
    action: 'Names have 1 to 64 letters, digits, . _ @ or -; roles are viewer, operator and admin.',
  },
  'SVC-AUTH-009': {
    what: 'The name {name} is taken.',
    cause: 'An account or a standing token has this name already.',
    action:
      'Choose another name. To replace a token, revoke the old one first or create the new one beside it.',
  },
  'SVC-AUTH-010': {
    what: 'There is no account or token named {name}.',
    cause: 'The name is mistyped, or it has been deleted.',
    action: 'List what there is: svc user list, or the accounts and tokens of the API.',
  },
  'SVC-AUTH-011': {
    what: '{name} is the last administrator and stays one.',
    cause: 'Without an administrator nobody could manage accounts, tokens or content any more.',
    action: 'Make another account administrator first, then delete or demote {name}.',
  },
  'SVC-AUTH-012': {
    what: 'Too many failed sign-ins from this address; passwords are not tried for another {retryAfterSeconds} seconds.',
    cause: 'A client keeps sending a wrong password, often a job or a registry login with an old one.',
    action:
      'Find and correct that client (the audit log names the address), then wait {retryAfterSeconds} seconds. Valid API tokens still work meanwhile.',
  },
  'SVC-CFG-001': {
    what: 'The configuration does not allow this: {setting}[ - {detail}].',
    cause: 'A setting is missing, malformed, unknown, or contradicts another one.',
    action:
      'Correct {setting} by flag, SVC_ variable or configuration file. svc config dump shows what is in force.',
  },
  'SVC-CFG-002': {
    what: 'Secret material lies inside the store: {path} is below {root}.',
    cause:
      'The store can be carried away on a medium, and everything in it with it; a key found on a medium must never decide what is trusted.',
    action:
      'Move {path} out of {root}, correct the setting that names it, and replace the secret if the store has already travelled.',
  },
  'SVC-NET-001': {
    what: 'The proxy {proxy} could not be used[: {detail}].',
    cause: 'It is down, its address is wrong, or it refuses the credentials or the destination.',
    action:
      'Check network.proxy.* and the log of the proxy. Destinations to be reached directly belong in network.proxy.noProxy.',
  },
  'SVC-NET-002': {
    what: 'The additional certificate authority {path} cannot be used[: {detail}].',
    cause: 'The file is missing, not readable for this user, or holds no PEM certificate.',
    action:
      'Correct network.tls.caFiles or network.tls.ca. Nothing is fetched with fewer authorities than were asked for.',
  },
  'SVC-NET-003': {
    what: 'The certificate of the listener cannot be used: {path}[ ({detail})].',
    cause: 'A file is missing or not readable, is not PEM, or the key does not belong to the certificate.',
    action:
      'Correct server.tls.certFile and server.tls.keyFile, or remove both to serve a self-signed certificate.',
  },
  'SVC-NET-004': {
    what: 'The new certificate was refused and the old one stays in use[: {detail}].',
    cause: 'Certificate and key do not belong together, are not PEM, or the certificate is not valid today.',
    action: 'Send the full chain as certificate and its own unencrypted private key, both in PEM.',
  },
  'SVC-VAL-001': {
    what: '{file} is not valid at {path}: {rule}.',
    cause: 'A member is misspelt, missing, of the wrong type, or breaks a rule of its format.',
    action: 'Correct {path} in {file} and try again. Nothing was changed.',
  },
  'SVC-VAL-002': {
    what: 'The input[ {file}] is larger than allowed: the limit is {limit:size}.',
    cause: 'The wrong file was given, or a source sends more than such a document can hold.',
    action:
      'Check what was sent. Limits protect the instance and cannot be raised; a large document can be split.',
  },
  'SVC-REG-001': {
    what: 'The reference {reference} is not valid[: {rule}].',
    cause:
      'References are complete: <host>[:<port>]/<path>, followed by :<tag> or @<digest> where one is asked for. Nothing is assumed.',
    action: 'Write the reference in full, for example docker.io/library/alpine:3.20.',
  },
  'SVC-REG-002': {
    what: 'The host {host} could not be reached[: {detail}].',
    cause:
      'It is down, its name does not resolve, a firewall or proxy is in the way, or its certificate is not trusted.',
    action:
      'Try the host from this machine. A private authority belongs in network.tls.caFiles, a plain-HTTP registry in registries.insecure, an egress proxy in network.proxy.url.',
  },
  'SVC-REG-003': {
    what: 'The host {host} refused the credentials[: {detail}].',
    cause:
      'registries.credentialsFile has no entry for exactly this host, or the entry is wrong, expired or may not do this.',
    action:
      'Log in to {host} with a registry client to test the credentials, then correct its entry in the credentials file.',
  },
  'SVC-REG-004': {
    what: 'Looking at {host} took longer than {timeout}.',
    cause: 'The registry is slow or does not answer, or its answer is very large.',
    action: 'Try again; raise import.inspectTimeout when this registry is always slow.',
  },
  'SVC-REG-005': {
    what: '{reference} was not found[; it was asked for as {effective}].',
    cause:
      '[This machine has no file {file}.|The name, tag or digest is wrong, it was removed, or the credentials do not let it be seen.][ {hint}]',
    action:
      '[Correct the path {file}, or put the file there; another source of the Retriever is an https URL or an oci:// reference.|Check that it can be pulled from there with the same credentials. Behind a substitution, check that the zone above has promoted it.]',
  },
  'SVC-REG-006': {
    what: 'No version of {reference} satisfies {constraint}. Seen: {candidates}.',
    cause:
      'The version has not been published yet, or the constraint leaves it out (pre-releases count only when named).',
    action: 'Publish a matching version, or correct the constraint. Other entries are not affected.',
  },
  'SVC-REG-007': {
    what: 'The transfer of {reference} broke off: {detail}.',
    cause:
      'The source or something on the way closed the connection, stalled, or did not answer as a registry must.',
    action:
      'Run it again: what has arrived is kept and only the rest is fetched. When it repeats, look at the log of the source and of proxies.',
  },
  'SVC-REG-008': {
    what: '{reference} has no platform {platforms}; it has {available}.',
    cause: 'The recipe asks for a platform that was never built for this version.',
    action: 'Have the recipe name platforms that exist, or publish the missing one at the source.',
  },
  'SVC-POL-001': {
    what: 'The host {host} is not on the allowlist[ (reached by way of: {hop})], so no connection was made.',
    cause:
      'registries.allowlist names every host that may be contacted, those of redirects and token services included.',
    action:
      'If this host is meant to be reached, add {host} to registries.allowlist and restart. If not, find out who names it.',
  },
  'SVC-POL-002': {
    what: '{repository} is managed by recipes ({recipes}) and was not changed.',
    cause:
      'Content that a recipe brought follows its recipe; changing it by hand would make the zone differ from what was signed.',
    action: 'Take it out of the recipe or the recipe out of the Retriever, then synchronize with prune.',
  },
  'SVC-POL-003': {
    what: '{repository} was pushed by a registry client and is not removed here.',
    cause: 'Only content that came by unit import can be deleted by this request.',
    action: 'Delete its tags or manifests through the registry interface under /v2/.',
  },
  'SVC-POL-004': {
    what: '{reference} is published already with other content: {published} there, {candidate} here.',
    cause:
      'A published recipe version never changes; somebody published another document under this name and version.',
    action:
      'Raise the version of the recipe and publish that. To republish the very same document is always fine.',
  },
  'SVC-SIG-001': {
    what: '{subject} carries no acceptable signature (reason: {reason})[; keys seen: {fingerprints}].',
    cause:
      'none: nobody signed it, or the signature did not travel with it. untrusted: the key is not among trust.roots for its cookbook. malformed: the signature cannot be read. no-roots: no trust root is configured or at hand.',
    action:
      'Have it signed by a trusted key, or add the public key to trust.roots after checking its fingerprint with its owner by another way. Never switch this off to get through.',
  },
  'SVC-SIG-002': {
    what: 'The content of {reference} is not what was pinned: expected {expected}, found {actual}.',
    cause: 'It was damaged in transfer or on disk, or replaced on purpose.',
    action:
      'Do not use it. Fetch it again from the origin; when it differs again, treat the source as compromised and tell its owner.',
  },
  'SVC-SIG-003': {
    what: 'The artifact[ {reference}] is not of the declared kind: expected {expected}, found {actual}.',
    cause:
      'The recipe declares another type than what lies at that reference, or something else was published under its name.',
    action: 'Check what the reference holds. Correct the recipe, or publish the right artifact.',
  },
  'SVC-DST-001': {
    what: 'The destination cannot hold the name {reference}: {limit}.',
    cause:
      'Relocation puts the origin host and prefixes in front of the path, which makes it longer and deeper.',
    action: 'Shorten destination.basePath or storage.basePrefix, or use a registry that accepts such names.',
  },
  'SVC-DST-002': {
    what: 'The destination refuses {reference} because these platforms are absent: {missing}.',
    cause:
      'Only some platforms were carried, and this registry wants every child of an index; the missing ones cannot be had from here.',
    action:
      'Synchronize with all platforms at the source (leave platforms out of the recipe), or use a registry that accepts sparse indexes.',
  },
  'SVC-FIL-001': {
    what: '{path} cannot be packed: {rule}.',
    cause:
      'The path is not a readable folder, changed while it was read, or the name or version is not valid.',
    action: 'Correct the input and pack again. Nothing was stored.',
  },
  'SVC-FIL-002': {
    what: 'The folder is not safe to pack: {path} - {rule}.',
    cause:
      'Special files, setuid files, links that lead outside and reserved names could do harm where the FileSet is unpacked.',
    action: 'Remove or replace {path}, then pack again.',
  },
  'SVC-FIL-003': {
    what: 'The path {path} may not be used here.',
    cause:
      'The API works only below configured folders and never in the store, the state, secrets or system folders; links count where they lead.',
    action: 'Use a folder listed in files.packRoots, or do it on the command line of the machine.',
  },
  'SVC-FIL-004': {
    what: 'The FileSet {reference} is not served: {path} - {rule}.',
    cause:
      'A layer of the image is damaged, is no archive of files, exceeds a limit, or was made to lead readers out of its tree.',
    action:
      'Look at how the image was made, or pack the folder again with svc fileset pack. Nothing of it is served.',
  },
  'SVC-CHT-001': {
    what: 'The chart {chart} depends on {dependency}, which is neither embedded in it nor listed.',
    cause:
      'The chart was packaged without its dependencies; in a zone without network they could never be fetched.',
    action:
      'Package the chart with its dependencies (helm dependency update), list {dependency} as an ingredient, or ask for vendoring.',
  },
  'SVC-STO-001': {
    what: 'Reading {path} failed[: {detail}].',
    cause:
      'It is not there, this user may not read it, the volume was unmounted, the disk has an error, or the file was damaged from outside.',
    action: 'Look at the kernel log and the mount. Then check the store before anything is written to it.',
  },
  'SVC-STO-002': {
    what: 'Writing {path} failed[: {detail}]. What was complete before is untouched.',
    cause:
      'The volume is read-only, full, failing or gone, a folder above it is not there, or this user may not write there.',
    action: 'Look at the mount, its free space and the owner of the folder, then run it again.',
  },
  'SVC-STO-003': {
    what: 'A partial download could not be kept at {path}[: {detail}].',
    cause: 'The volume of state.root is full, failing or not writable.',
    action:
      'Make room on the volume of state.root, or set transfer.resumeThreshold to 0 to download without resumption.',
  },
  'SVC-STO-004': {
    what: 'There is not enough space at {path}: {needed:size} needed, {usable:size} usable, {shortfall:size} missing. Nothing of it was kept.',
    cause:
      '{free:size} are free, of which {margin} % are held back as a margin (preflight.safetyMarginPercent).',
    action: 'Free {shortfall:size}, use a larger volume, prune, or take recipes out of the Retriever.',
  },
  'SVC-STO-005': {
    what: 'The filesystem of {path} ({filesystem}) cannot hold this: {size:size}, and its limit is {limit:size}.',
    cause: 'FAT filesystems hold no file of 4 GiB or more and only so many files in one folder.',
    action:
      'Format the medium with exFAT, NTFS or ext4, or leave the content that is too large out of this delivery.',
  },
  'SVC-STO-006': {
    what: 'The confirmation is not the expected word, so nothing was erased.',
    cause:
      'Emptying a store cannot be undone and asks for the exact word RESET, in capitals and untranslated.',
    action: 'Send confirmation: RESET when this store is really to be emptied.',
  },
  'SVC-STO-007': {
    what: '{path} is in use by another process[: {holder}].',
    cause:
      'An instance or a command is working with the same store or state, or wrote to the medium during the walk.',
    action:
      'Wait for it or stop it, then try again. There is no lock file to delete: a lock ends with its process.',
  },
  'SVC-STO-008': {
    what: 'The store has format {found}; this program supports {supported}.',
    cause: 'It was made by another version of the service, usually a newer one.',
    action: 'Use a version of svc that supports format {found}. The store was not touched.',
  },
  'SVC-STO-009': {
    what: '{path} is damaged[: {detail}].',
    cause: 'The disk, a cable, memory, a copy that was cut off, or somebody has altered bytes of the store.',
    action:
      'Run svc store check --quarantine, then synchronize or push again: what is damaged counts as absent and is fetched anew. Then look at the disk.',
  },
  'SVC-STO-010': {
    what: '{path} is missing[: {detail}], and content that the store has needs it.',
    cause:
      'It was removed from outside, never copied, lost by the filesystem, or taken into quarantine because it was damaged.',
    action: 'Synchronize, import or push the content again: only what is missing moves.',
  },
  'SVC-STO-011': {
    what: 'What the store records in {path} does not hold: {detail}.',
    cause: 'The file was damaged, lost or altered from outside.',
    action:
      'Stop the instance and run svc store check --repair: it keeps every record that verifies and every manifest on the disk, and names what is lost.',
  },
  'SVC-STO-012': {
    what: '{path} is no content of this store: {detail}.',
    cause:
      'Somebody put it there, or an interrupted write left it. It is never served and never carried along.',
    action: 'Nothing needs to be done. What you recognise as your own can be moved elsewhere.',
  },
  'SVC-STO-013': {
    what: '{path} is no store, and holds other things: {found}.',
    cause:
      'The folder is used for something else, is an image layout, or is a store that has lost its ledgers.',
    action:
      'Name a folder that is empty or not there yet. Bring an image layout in with svc import. Write the ledgers of a store anew with svc store check --repair. Nothing was touched.',
  },
  'SVC-MED-001': {
    what: 'The medium[ {mediaId}] has no manifest: {path} is missing.',
    cause:
      'It was removed or never finished: the copy is incomplete, or the synchronization at the source was cut off.',
    action:
      'Copy the medium again, or run the synchronization at the source to its end. Nothing from it is pushed.',
  },
  'SVC-MED-002': {
    what: 'The manifest of the medium[ {mediaId}] cannot be read: {path}[ ({detail})].',
    cause: 'The file is damaged, cut short, or was changed by hand.',
    action: 'Copy the medium again from the source. Nothing from it is pushed.',
  },
  'SVC-MED-003': {
    what: 'The medium[ {mediaId}] has manifest format {found}; this program supports {supported}.',
    cause: 'The two sides run different versions of the service.',
    action: 'Upgrade svc in this zone to a version that supports format {found}.',
  },
  'SVC-MED-004': {
    what: 'The store on the medium[ {mediaId}] has format {found}; this program supports {supported}.',
    cause: 'The two sides run different versions of the service.',
    action: 'Upgrade svc in this zone to a version that supports format {found}.',
  },
  'SVC-MED-005': {
    what: 'The list of recipes on the medium[ {mediaId}] was altered: {path}[, expected {expected}][, found {actual}].',
    cause:
      'The records of the medium do not agree with the signed recipes it carries: damage, or somebody edited them.',
    action:
      'Do not use this medium. Have it made again at the source; the whole of it is blocked and nothing lifts that.',
  },
  'SVC-MED-006': {
    what: 'The medium[ {mediaId}] is addressed to zone {found}, and this is zone {expected}.',
    cause: 'Media were swapped, or zone is not configured as the Retriever of this zone is named.',
    action:
      'Fetch the right medium. An administrator who is sure may pass --allow-zone-mismatch; signatures are checked all the same.',
  },
  'SVC-MED-007': {
    what: 'The medium[ {mediaId}] is older than the last one imported for zone {zone}: {resolvedAt} against {recordedAt}[ (medium {recordedMediaId})].',
    cause:
      'An earlier medium came back, or a clock at the source was wrong. Importing it could bring old versions back.',
    action: 'Ask for a current medium. An administrator who wants the older state may pass --allow-stale.',
  },
  'SVC-MED-010': {
    what: 'A file is missing from the medium[ {mediaId}]: {path}[, which {recipe} needs].',
    cause: 'The copy is incomplete, or the file was lost on the way.',
    action: 'Copy the file or the medium again from the source, then verify again.',
  },
  'SVC-MED-011': {
    what: 'A file on the medium[ {mediaId}] has the wrong size: {path}[, expected {expected} bytes][, found {actual}][; {recipe} needs it].',
    cause: 'The copy was cut short, something was appended, or the disk is failing.',
    action: 'Copy the file or the medium again from the source, then verify again.',
  },
  'SVC-MED-012': {
    what: 'A file on the medium[ {mediaId}] has other content than its digest says: {path}[, expected {expected}][, found {actual}][; {recipe} needs it].',
    cause: 'The disk or the copy damaged it, or somebody replaced it.',
    action:
      'Copy the medium again from the source. When it happens again, replace the disk and look into who handled it.',
  },
  'SVC-MED-013': {
    what: '{path} is needed but not in the inventory of the medium[ {mediaId}][; {recipe} needs it].',
    cause: 'The manifest was written before the file arrived, or was edited.',
    action: 'Run the synchronization at the source again, to its end, and carry the medium again.',
  },
  'SVC-MED-014': {
    what: 'A file on the medium[ {mediaId}] cannot be read: {path}[ ({detail})][; {recipe} needs it].',
    cause: 'The disk has an error, the file is not a regular one, or this user may not read it.',
    action: 'Look at the kernel log and the permissions, and copy the medium to another disk.',
  },
  'SVC-MED-015': {
    what: '{path} on the medium[ {mediaId}] is not named after its content[; {recipe} needs it].',
    cause: 'Somebody put it there by hand, or a tool renamed it.',
    action: 'Have the medium made again at the source.',
  },
  'SVC-MED-020': {
    what: '{path} lies on the medium[ {mediaId}] but is not covered by its manifest. It was ignored.',
    cause: 'Operating systems leave such files behind; it could also have been put there on purpose.',
    action:
      'Nothing has to be done: it is never read or pushed. Find out where it comes from if it is unexpected.',
  },
  'SVC-MED-021': {
    what: '{path} on the medium[ {mediaId}] is reached by no verified recipe. It is never pushed.',
    cause: 'It came by unit import or push at the source, or belongs to a recipe that is blocked.',
    action: 'To carry it, have a signed recipe name it.',
  },
  'SVC-MED-022': {
    what: 'The content records of the medium[ {mediaId}] were altered: {path}[ ({detail})].',
    cause: 'They are damaged or were edited. They are not signed and nothing is decided by them.',
    action:
      'The verdict on the recipes stands. Tell the source side, and copy the medium again when there is an occasion.',
  },
  'SVC-MED-023': {
    what: 'The medium[ {mediaId}] brings {recipe} in version {version}, lower than {imported}, which was imported before.',
    cause:
      'The source went back to an older version on purpose, or somebody replays an older delivery that is properly signed.',
    action:
      'Ask the source side whether this is meant. It is reported only: the recipe is pushed if it verifies.',
  },
  'SVC-MED-024': {
    what: 'The medium[ {mediaId}] says it was resolved at {resolvedAt}, and the clock here says {now}.',
    cause:
      'The clock of the source or of this machine is wrong by more than a day, or the unsigned date was edited.',
    action:
      'Set the clocks right. The date is remembered only as far as 24 hours ahead, so that it blocks no later medium.',
  },
  'SVC-MED-030': {
    what: 'Content of the medium[ {mediaId}] is not available before it has been verified.',
    cause:
      'This store was not made here. In a zone nothing of it is served or changed until its verification has cleared it.',
    action: 'Run the verification: svc media verify, or POST /api/v1/media/verify, and see its report.',
  },
  'SVC-MED-031': {
    what: 'A verification of the medium[ {mediaId}] is running already (stage: {stage}).',
    cause: 'One medium is walked by one verification at a time.',
    action: 'Wait for its report: GET /api/v1/media/verification shows how far it is.',
  },
  'SVC-MED-032': {
    what: 'Content of the medium[ {mediaId}] stays closed: its verification did not clear it.',
    cause: 'The last report blocks the medium, or the recipes that this content belongs to.',
    action: 'Read the report (GET /api/v1/media/verification): it names what is wrong and where.',
  },
  'SVC-LAY-001': {
    what: '{path} is not a readable image layout[: {detail}].',
    cause: 'The path does not exist, cannot be read, or is something else.',
    action: 'Give the folder or the uncompressed tar of an OCI image layout.',
  },
  'SVC-LAY-002': {
    what: 'The layout is refused whole: {path} - {rule}.',
    cause:
      'A layout holds oci-layout, index.json and blobs/, uncompressed, and nothing else; anything more is not carried in unseen.',
    action: 'Make the layout again without the foreign content; decompress an archive first.',
  },
  'SVC-LAY-003': {
    what: '{path} exists already and was not overwritten[: {detail}].',
    cause: 'An earlier export or another file has this name.',
    action: 'Choose another path, or pass --overwrite to replace it.',
  },
  'SVC-TSK-001': {
    what: 'There is no task {id}.',
    cause: 'The id is mistyped, or the task was cleared away with its log (tasks.keepFinished).',
    action: 'List the tasks of the instance: GET /api/v1/tasks.',
  },
  'SVC-TSK-002': {
    what: 'The queue is full: {limit} tasks are waiting. Nothing was added.',
    cause: 'Tasks arrive faster than they finish, or one of them takes very long.',
    action: 'Look at the running task, then try again in a while.',
  },
  'SVC-TSK-003': {
    what: 'This is not possible while a task is running[: {task}].',
    cause: 'It would pull the ground from under the task.',
    action: 'Wait until the task has ended, then try again.',
  },
  'SVC-SRV-001': {
    what: 'The service failed in a way it did not expect.',
    cause: 'This is a defect of svc, or of the machine under it.',
    action:
      'Look for the correlation id in the log, where the cause is recorded, and report it with those lines.',
  },
  'SVC-SRV-002': {
    what: 'There is nothing at {path}.',
    cause: 'The address is mistyped, or belongs to another version of the API.',
    action: 'See GET /api/v1/openapi.yaml for what this instance offers.',
  },
  'SVC-SRV-003': {
    what: 'The instance {instance} could not be reached or did not answer as one[: {detail}].',
    cause:
      'It is not running, listens elsewhere, its certificate is not trusted, or something else answers at that address.',
    action:
      'Check that it runs (GET /readyz), and the address: --instance, SVC_INSTANCE_URL or server.addr. A private authority or certificate belongs in network.tls.caFiles.',
  },
  'SVC-SRV-004': {
    what: 'The method {method} is not possible here; possible: {allow}.',
    cause: 'The client does not fit this API, or used another address than it meant.',
    action: 'Use one of {allow}; see GET /api/v1/openapi.yaml.',
  },
  'SVC-SRV-005': {
    what: 'The body of the request is not JSON[ but {contentType}].',
    cause: 'The Content-Type header is missing or names another type.',
    action: 'Send JSON with Content-Type: application/json.',
  },
  'SVC-SRV-006': {
    what: 'The instance cannot take this request now.',
    cause:
      'It is shutting down, too many sign-ins are waiting at once, or a FileSet is being read for the first time.',
    action: 'Try again in a few seconds.',
  },
};
