import type { Messages } from './message.ts';

/**
 * What happened, the probable cause, what to do. `{name}` is a parameter, `{name:size}` one in bytes; what stands in
 * square brackets is left out when a parameter in it is absent.
 */
export const messagesEn: Messages = {
  'SVC-AUTH-001': {
    what: 'The instance does not start: authentication is on, and no account could sign in[ ({detail})].',
    cause:
      'No account has been created yet, or no state folder (state.root) is configured to hold the accounts.',
    action:
      '[Create the first administrator with: svc user add <name> {at}.|Set state.root (--state-root), then create the first administrator with: svc user add <name>; or run svc quickstart.] By default an instance without accounts does not start.[ {hint}]',
  },
  'SVC-AUTH-002': {
    what: 'The request carries no credential that this instance accepts[{session=refused} for it: the session of a browser is not enough].',
    cause:
      '[{fileset} is no FileSet that is readable without a credential, or its name is mistyped: a client without a credential is not told which. ][{session=refused}The cookie of a session is accepted by the web interface, and for reading through the API. Any other request needs a credential that no browser sends by itself, so that another site cannot cause it.][{session!}No user name and password or token was sent, the password is wrong, the token is mistyped or cut, or the account or token has been removed or revoked.]',
    action:
      '[Check the name {fileset} in the address. For a FileSet that needs a credential, apt reads it from /etc/apt/auth.conf.d and dnf from the repo file. ][{session=refused}Send the header Authorization with a user name and password (Basic) or a token (Bearer); signing in again does not help.][{session!}At the command line, check the token: the file of --token-file, or SVC_API_TOKEN (new: svc token create NAME --role ROLE). In a browser, sign in again.]',
  },
  'SVC-AUTH-003': {
    what: 'The role of this account or token does not allow the request: it needs {role}.',
    cause: 'Roles are viewer, operator and admin; each includes the permissions of the roles before it.',
    action: 'Use an account or token with the role {role}, or ask an administrator to grant it.',
  },
  'SVC-AUTH-004': {
    what: 'The request was refused because its origin could not be established.',
    cause:
      'The form is older than the session, the page was opened in another window before signing in, or another site sent the request.',
    action:
      'Reload the page and try again from there. Programs should send a Bearer token, or Basic credentials without Origin and Sec-Fetch-Site headers.',
  },
  'SVC-AUTH-005': {
    what: 'The session has ended.',
    cause:
      'The session expired, the instance was restarted, or the password or role of the account has changed.',
    action: 'Sign in again.',
  },
  'SVC-AUTH-006': {
    what: 'The current password is wrong; nothing was changed.',
    cause: 'The password was mistyped, or was changed in the meantime.',
    action:
      'Enter the current password again. If the password is lost, an administrator can set a new one: svc user passwd <name>.',
  },
  'SVC-AUTH-007': {
    what: 'The new password is not acceptable[: {rule}].',
    cause:
      'A new password has at least 12 characters, or as many as auth.passwordMinLength says, at most 1024 bytes, no control characters, and does not start with svc_.',
    action: 'Choose another password.',
  },
  'SVC-AUTH-008': {
    what: 'The account or token cannot be created or changed: {rule}.',
    cause: 'The name or the role is not valid, or another name differs from it only in case.',
    action: 'Names have 1 to 64 letters, digits, . _ @ or -; roles are viewer, operator and admin.',
  },
  'SVC-AUTH-009': {
    what: 'The name {name} is taken.',
    cause: 'An account or a token has this name already; a revoked token keeps its name.',
    action:
      'Choose another name. To replace a token, create the new one under another name, then revoke the old one.',
  },
  'SVC-AUTH-010': {
    what: 'There is no account or token named {name}.',
    cause: 'The name is mistyped, or the account or token has been deleted.',
    action:
      'List the accounts and tokens: svc user list, svc token list, GET /api/v1/accounts or GET /api/v1/tokens.',
  },
  'SVC-AUTH-011': {
    what: '{name} is the last administrator and cannot be removed or demoted.',
    cause: 'Accounts, tokens and content can only be managed by an administrator.',
    action: 'Make another account administrator first, then delete or demote {name}.',
  },
  'SVC-AUTH-012': {
    what: 'Too many failed sign-ins from this address; passwords and invalid tokens are refused for another {retryAfterSeconds} seconds.',
    cause:
      'A client keeps sending a wrong password or token, often a job or a registry login with an old password.',
    action:
      'Find and correct that client (the audit log names the address), then wait {retryAfterSeconds} seconds. Valid API tokens still work meanwhile.',
  },
  'SVC-CFG-001': {
    what: '[{setting} {detail}|Invalid configuration: {setting}].',
    cause:
      '[{problem=address}Another instance or program listens at this address, or the address cannot be used on this machine.|A setting is missing, malformed, unknown, or contradicts another one.]',
    action:
      '[{problem=address}Stop the program that uses it (ss -ltnp shows it), or choose another address: server.addr (--server-addr).|Correct the flag, the SVC_ variable or the configuration file. svc config dump shows the effective configuration.][ {hint}]',
  },
  'SVC-CFG-002': {
    what: 'Secret material lies inside the store: {path} is below {root}.',
    cause:
      'A store can be carried on a medium together with every file in it; a key found on a medium must never decide what is trusted.',
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
    what: 'The certificate authorities of {path} cannot be used[: {detail}].',
    cause:
      'The file is missing, not readable for this user, or not a bundle of PEM certificates in plain ASCII.',
    action:
      'Correct network.tls.caFiles, network.tls.ca, SSL_CERT_FILE or SSL_CERT_DIR. No connection is opened with fewer authorities than configured.',
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
    what: '[{file}|The input] is not valid[ at {path}][ (line {line})]: {rule}.',
    cause:
      '[{problem=list}The line is misspelt, or the file is no list of images.][{problem=name}The name is misspelt, or belongs to another document.][{problem=variable}The file refers to a variable and gives no default.][{problem=source}Another file is wanted here.][{problem=folder}A folder is read for the images and charts that its files name, or packed as a FileSet.][{problem=key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=private-key}The file of a public key is wanted here: one PEM block PUBLIC KEY.][{problem=token}The file of an API token is wanted here: its first line is the secret that svc token create printed.][{unpinned!}{problem!}A member is misspelt, missing, of the wrong type, or breaks a rule of the format.][{unpinned=yes}The document is a draft: only a pinned recipe, with an exact tag and a digest for each ingredient, always names the same content.]',
    action:
      '[{unpinned=yes}Run svc recipe pin {file}, which asks the registries and writes each tag and digest.][{unpinned!}{problem!}Correct {path} in {file} and try again.][{problem=list}Correct the line and try again.][{problem=name}Give a name that is there.][{problem=variable}Write NAME=value into a file and name the file with --env-file, or write a default into {file}.][{problem=source}Give the right file, or correct {file}.][{problem=folder}Run the command again as the rule says.][{problem=key}Name the file of a public key: ECDSA on P-256, P-384 or P-521, Ed25519, or RSA from 2048 bits.][{problem=private-key}Name the file of its public key. openssl pkey -pubout -in {file} prints it.][{problem=token}Name the file with the token, or write its secret into {file}.][{path!}{problem!}Correct {file} and try again.] Nothing was changed.',
  },
  'SVC-VAL-002': {
    what: 'The input[ {file}] is larger than allowed: the limit is {limit:size}.',
    cause: 'The wrong file was given, or the source sent a larger document than this format allows.',
    action: 'Check the input. The limit protects the instance and cannot be raised; split a large document.',
  },
  'SVC-REG-001': {
    what: 'The reference {reference} is not valid[: {rule}].',
    cause:
      '[{form=repository}A repository is meant here, without :<tag> and @<digest>: <host>/<path> or <host>:<port>/<path>.][{form!}A reference has the form <host>/<path> or <host>:<port>/<path>, followed by :<tag> or @<digest> where required. There is no default host, repository or tag.]',
    action:
      '[{form=repository}Write the repository alone, for example docker.io/library/alpine.][{form!}Write the reference in full, for example docker.io/library/alpine:3.20.]',
  },
  'SVC-REG-002': {
    what: 'No usable answer from {host}[: {detail}].',
    cause:
      '[{problem=plain}The host has no TLS at this port.][{problem=authority}Neither the system nor network.tls.caFiles has the authority that issued the certificate.][{problem=tls}The host is listed in registries.insecure and has TLS at this port.][{problem=time}The certificate is outside its period of validity, or the clock of this machine is wrong.][{problem=refused}The host is up, and its service is stopped or uses another port.][{problem=name}The name is misspelt, or the resolver of this machine does not know it.][{problem=busy}The host is overloaded or limits requests, and asks to wait until {until}, which is longer than svc waits.][{problem=page}A sign-in page, or the page of a proxy, was sent in the place of the data.][{problem=slow}The registry is slow or does not answer, or its answer is very large.][{problem=answered}The registry, or a proxy before it, answers and cannot do what was asked: its storage may be full, slow or down.][{problem!}The host is down or overloaded, its name does not resolve, a firewall or proxy blocks the connection, or its certificate is not trusted.][ The clock of this machine says {clock}: if the clock is wrong, certificate checks fail.]',
    action:
      '[{problem=plain}Correct the port, or list {host} in registries.insecure if its registry is reached over plain HTTP. An instance that runs has to be restarted.][{problem=authority}Get the certificate of the authority from its owner, and name its file in network.tls.caFiles. An instance that runs has to be restarted.][{problem=tls}Remove {host} from registries.insecure, or correct the port. An instance that runs has to be restarted.][{problem=time}Set the clock of this machine if it is wrong; otherwise have the certificate renewed.][{problem=refused}Start the service, or correct the port.][{problem=name}Correct the name, or the resolver (getent hosts asks it); behind an egress proxy, set network.proxy.url.][{problem=busy}Run the same command again after {until}. If the host limits anonymous requests, give it an account in registries.credentialsFile.][{problem=page}Ask {host} from this machine with a browser or curl: sign in to the network where it requests that, correct the address, or name the egress proxy in network.proxy.url.][{problem=slow}Look at the load of the registry and of the way to it, then try again.][{problem=answered}Look into the log of the registry and at the free space of its storage, then run the same command again.][{problem!}Try the host from this machine. A private authority belongs in network.tls.caFiles, a plain-HTTP registry in registries.insecure, an egress proxy in network.proxy.url.][ {proxyVariable} is set and not used; network.proxy.url is.][ {caVariable} is set and not used; network.tls.caFiles is.]',
  },
  'SVC-REG-003': {
    what: 'The host {host} refused the credentials[: {detail}].',
    cause:
      'registries.credentialsFile has no entry for exactly this host, or the entry is wrong, has expired or lacks the permission.',
    action:
      'Log in to {host} with a registry client to test the credentials, then correct its entry in the credentials file.[ docker knows a login for this host ({login}); registries.credentialsFile names the file to use.]',
  },
  'SVC-REG-004': {
    what: 'Inspecting {host} took longer than {timeout}.',
    cause: 'The registry is slow or does not answer, or its answer is very large.',
    action: 'Try again[; raise {setting} if this registry is always slow].',
  },
  'SVC-REG-005': {
    what: '{reference} was not found[{local=store} in the store][; requested as {effective}].',
    cause:
      '[The machine that reads the Retriever has no file {file}.][{local=store}The store has no content of this name: the name is misspelt, or the content was removed.][The registry has no repository {push} and makes none at a push, or it hides the repository from an account that may not push there.][The recipe {recipe} has not been published there yet, or not in this version; the Retriever names it or its cookbook wrongly; or the credentials do not allow reading it.][{file!}{local!}{push!}{recipe!}The name, tag or digest is wrong, the content was removed, or the credentials do not allow reading it.][ {hint}]',
    action:
      '[Correct the path {file}, or put the file there; another source of the Retriever is an https URL or an oci:// reference.][{local=store}Correct the name: svc content list, GET /api/v1/content and GET /api/v1/recipes list the names of the store.][ Did you mean {nearest}?][Correct the name, or make the project or repository of {push} at the registry. Then check that the account in registries.credentialsFile may push there.][Publish and sign {recipe} (svc recipe push), or correct its name, its version or its cookbook in the Retriever. With a substitution, check that the source zone has promoted it.][{file!}{local!}{push!}{recipe!}Check that a registry client can pull it with the same credentials. With a substitution, check that the source zone has promoted it.]',
  },
  'SVC-REG-006': {
    what: 'No version of {reference} satisfies {constraint}.[{empty=yes} The repository has no tags.][{empty!} Seen: {candidates}.]',
    cause:
      'The version has not been published yet, or the constraint excludes it (a pre-release matches only if the constraint names one).',
    action: 'Publish a matching version, or correct the constraint. Other entries are not affected.',
  },
  'SVC-REG-007': {
    what: '[The registry refused {reference} with status {status}: {detail}|The transfer of {reference} was interrupted: {detail}].',
    cause:
      '[Status {status} is permanent: the registry does not accept this request.|The source or an intermediary closed the connection, stalled, or sent an answer that is not valid for a registry.]',
    action:
      '[Do not repeat: status {status} will not change. Look up the reason in the log of the registry and correct it.|Run the command again: received bytes are kept and only the rest is fetched. If the error repeats, check the logs of the source and of proxies.]',
  },
  'SVC-REG-008': {
    what: '{reference} has no platform {platforms}; it has {available}.',
    cause: 'The recipe asks for a platform that was never built for this version.',
    action:
      'Correct the platforms of the recipe (leave them out for an image without platforms), or publish the missing platform at the source.',
  },
  'SVC-REG-009': {
    what: 'The content of {reference} cannot be used: {detail}.',
    cause:
      'The source has content that is malformed, larger than 4 MiB, of a media type that svc does not know, nested too deep, or has too many annotations.',
    action:
      'Do not repeat: this content will not change. Publish it again as an OCI or Docker image, index or chart, or name another version.',
  },
  'SVC-POL-001': {
    what: '[{host} was not contacted (reason: {reason})|The host {host} is not on the allowlist, so no connection was opened][ (named by: {hop})].',
    cause:
      '[The address breaks a rule for connections: {reason}. scheme: the URL is neither http nor https. user-information: the URL contains a user name or password. https-only: only https is allowed here. downgrade: an https host redirected to plain http. plain-http: the host is not in registries.insecure. inner-address: a public host redirected to a private address. secret: a secret would have been sent to another host. other-origin: the next page of a list is on another host.|registries.allowlist lists every host that may be contacted, including those of redirects and token services.]',
    action:
      '[The allowlist has no effect on this rule ({reason}): correct the address where it is configured, or ask the operator of the host that returned it to do so. Add a host that only serves plain HTTP to registries.insecure.|If this host is to be contacted, add {host} to registries.allowlist and restart. If not, find the document or registry that names it.]',
  },
  'SVC-POL-002': {
    what: '{repository} is managed by recipes ({recipes}) and was not changed.',
    cause:
      'Content of a recipe is changed only through its recipe; a manual change would make the zone differ from what was signed.',
    action:
      'Remove the content from the recipe, or the recipe from the Retriever, then run svc sync --prune.',
  },
  'SVC-POL-003': {
    what: '{repository} was pushed by a registry client and cannot be deleted by this request.',
    cause: 'This request deletes only content that was added by unit import.',
    action: 'Delete its tags or manifests through the registry interface under /v2/.',
  },
  'SVC-POL-004': {
    what: '{reference} is already published with other content: published digest {published}[ (document {document})], digest of this [{content=chart}chart][{content=fileset}FileSet][{content!}document] {candidate}.',
    cause:
      '[{content=chart}The registry has another chart of this name and version: the chart was edited, or packed from other files.][{content=fileset}The registry has another FileSet under this version: the folder was changed since, or another one was packed.][{content!}A published recipe version is immutable, and another document was published under this name and version.]',
    action:
      '[{content=chart}Raise version in Chart.yaml and push the chart again, or push it below another repository.][{content=fileset}Pack and push the folder under another version; svc recipe init takes it from --tag NAME=VERSION. The same folder under the same version always succeeds.][{content!}Raise the version of the recipe and publish again. Publishing an identical document always succeeds. If the published version was deleted, an administrator can delete the repository to release its tags.]',
  },
  'SVC-POL-005': {
    what: '{reference} was packed on this instance and was not changed.',
    cause:
      'An administrator packed this FileSet; recipes, registry clients and imports cannot replace or delete a packed FileSet.',
    action:
      'Push under another tag, or ask an administrator to pack the version again or to delete the repository.',
  },
  'SVC-SIG-001': {
    what: '{subject} carries no acceptable signature (reason: {reason})[; keys that signatures name, unproven: {fingerprints}][; found: an attestation of type {attested}, which approves nothing].',
    cause:
      '[{reason=none}There is no signature, or the signature was not copied with the content.][{reason=untrusted}It was signed with a key that trust.roots does not accept for its cookbook.][{reason=malformed}There is a signature, but it cannot be read.][{reason=no-roots}This instance has no trust root for its cookbook: trust.roots is empty, a scope excludes every root, or the key of a keyURL was never fetched.][ Its lists of referrers exceed a limit ({limit}), and were not read whole: a signature may be in the rest.]',
    action:
      '[{reason=none}Have it signed by a trusted key, and copy the signature with the content.][{reason=untrusted}Confirm the fingerprint of the key with its owner over another channel. If it is right, add the public key to trust.roots; if not, do not use this content.][{reason=malformed}Have it signed again by a trusted key.][{reason=no-roots}Add the public key of the owner to trust.roots, after confirming its fingerprint with the owner over another channel.][ Have entries beyond {limit} removed from the lists, or have a classic signature made, which needs no list: svc recipe sign RECIPE --layout classic --key KEY.] Do not relax trust to make this error go away.',
  },
  'SVC-SIG-002': {
    what: 'The content of {reference} does not match its pinned digest: expected {expected}, found {actual}.',
    cause: 'The content was damaged in transfer or on disk, or was replaced.',
    action:
      'Do not use this content. Fetch it again from the origin; if the digest is wrong again, treat the source as compromised and tell its operator.',
  },
  'SVC-SIG-003': {
    what: 'The artifact[ {reference}] is not of the declared type: expected {expected}, found {actual}.',
    cause:
      '[{problem=no-recipe}This command signs published recipes, and the reference names other content.][{problem!}The type in the recipe is wrong, or another artifact was published under this reference.]',
    action:
      '[{problem=no-recipe}Name the recipe that has it as an ingredient: the signature of a recipe covers every digest that the recipe pins. To sign the content itself, use cosign, with a key of cosign generate-key-pair: cosign sign --key cosign.key --use-signing-config=false --tlog-upload=false {reference}. svc reads such a key too; cosign reads none of svc key new NAME.][{problem!}Inspect the reference. Correct the recipe, or publish the right artifact.]',
  },
  'SVC-SGN-001': {
    what: 'The signing key {path} cannot be used: {rule}.',
    cause:
      '[{problem!}The file is not a private key that this program accepts.][{problem=public}A public key or a certificate cannot sign.][{problem=form}A key file holds one private key in PEM, as PKCS #8 (plain or encrypted) or as cosign writes it.][{problem=kind}Accepted are ECDSA on P-256, P-384 and P-521, Ed25519, and RSA from 2048 bits.][{problem=mode}Other users of this machine may read the key or replace it.][{problem=no-password}The key is encrypted, and no password was given.][{problem=password}The password is wrong, or the file is damaged.][{problem=cost}The file asks for a key derivation that is not known, or that takes too much memory or time; such a file can be an attack.]',
    action:
      '[{problem!}Correct the file, or use another key.][{problem=public}Name the file of the private key, such as release.key.][{problem=form}Convert the key: openssl pkcs8 -topk8 -v2 aes-256-cbc -in {path} -out new.key.][{problem=kind}Make a new key with svc key new NAME, and have its public key added to the trust roots.][{problem=mode}Run chmod 600 {path}. If others could read it and it is not encrypted, replace the key.][{problem=no-password}Give the password with --key-password-file, --password-stdin or SVC_SIGNING_PASSWORD.][{problem=password}Give the right password; the first line of a file or of stdin counts, without the end of the line.][{problem=cost}If the key is your own, encrypt it again: openssl pkcs8 -topk8 -v2 aes-256-cbc.]',
  },
  'SVC-SGN-002': {
    what: 'The signature {path} was not attached to {subject}: {rule}.',
    cause:
      'The signature was made over other bytes or with another key, the payload was made for another recipe, or the tag names another manifest since.',
    action:
      'Write the payload again with svc recipe sign {subject} --payload-out FILE, sign exactly the bytes of that file, and name the digest instead of the tag in both steps.',
  },
  'SVC-DST-001': {
    what: 'The destination cannot hold the name {reference}: {limit}.',
    cause:
      'Relocation prepends the origin host and the configured prefixes to the path, which makes the name longer and deeper.',
    action: 'Shorten destination.basePath or storage.basePrefix, or use a registry that accepts such names.',
  },
  'SVC-DST-002': {
    what: 'The destination refuses {reference} because these platforms are absent: {missing}.',
    cause:
      'Only some platforms were transferred, and this registry requires every child of an index; the missing platforms are not available here.',
    action:
      'Synchronize all platforms at the source (remove platforms from the recipe), or use a registry that accepts sparse indexes.',
  },
  'SVC-DST-003': {
    what: 'The destination does not keep {reference} under its digest {digest}.',
    cause:
      'The recipe pins the content with a hash algorithm that this registry does not support for manifests; clients could not pull the content by the pinned digest.',
    action:
      'Use a registry that supports this algorithm, such as svc or zot, or pin the ingredient by its sha256 digest in the recipe.',
  },
  'SVC-DST-004': {
    what: 'The destination refuses the manifest {reference} of media type {mediaType}: {detail}.',
    cause: 'The registry does not accept this media type, or its policy rejects the manifest.',
    action:
      'Do not repeat. For Docker media types (application/vnd.docker.…), enable them at the destination (zot: list docker2s2 in http.compat), use a registry that accepts them, or pin an image that was built with OCI media types. For other reasons, see the log of the registry.',
  },
  'SVC-DST-005': {
    what: 'The signatures under {reference} at the destination cannot be read or extended[: {rule}][: the limit is {limit:size}].',
    cause:
      'Another client wrote something else under this tag: an image, a manifest that is too large, or a list of 10 000 signatures. Classic signatures are under their own tag; a registry without the referrers API lists bundles under another one. svc does not replace the content of others.',
    action:
      'Look at the tag at the destination with another tool. Give its content another tag and delete this one, then repeat the operation: the signatures in the store are pushed again. For a list of bundles there are two other ways: a registry with the referrers API, or a classic signature of the recipe (svc recipe sign RECIPE --layout classic --key KEY). Other recipes are not affected.',
  },
  'SVC-FIL-001': {
    what: '{path} cannot be packed: {rule}.',
    cause:
      'The path is not a readable folder, the folder changed while it was read, or the name or version is not valid.',
    action: 'Correct the input and pack again. Nothing was stored.',
  },
  'SVC-FIL-002': {
    what: 'The folder is not safe to pack: {path} - {rule}.',
    cause:
      'Special files, setuid files, links to targets outside the folder and reserved names are unsafe where the FileSet is unpacked.',
    action:
      'Pack another folder if {path} contains the store or the state. Otherwise remove or replace {path}, then pack again.',
  },
  'SVC-FIL-003': {
    what: 'The path {path} is not allowed.',
    cause:
      '[{layout=yes}A layout is never written to or read from the store, the state, a folder above them, a configuration file, a secret or a system folder, and a running instance never writes one into a hidden folder (a name that begins with a dot); symbolic links are resolved first.|The API accepts only paths below the folders of files.packRoots, and never the store, the state, secrets or system folders; symbolic links are resolved first.]',
    action:
      '[{layout=yes}Choose a path outside of these folders.|Use a folder below one of files.packRoots, or run svc fileset pack DIRECTORY NAME:VERSION on this machine.]',
  },
  'SVC-FIL-004': {
    what: 'The FileSet {reference} is not served: {path} - {rule}.',
    cause:
      'A layer of the image is damaged, is not a tar archive, exceeds a limit, or has paths that leave its root.',
    action:
      'Check how the image was built, or pack the folder again with svc fileset pack DIRECTORY NAME:VERSION. No file of this FileSet is served.',
  },
  'SVC-FIL-005': {
    what: '{path} cannot be read[ or written: there is no folder {parent}].',
    cause:
      '[The path was mistyped, or {parent} was not created or not mounted.][{absent} does not exist.][{disk} does not exist: the disk is not mounted there, or the path is wrong.][{folder} is a folder, not a file.][{special} is a pipe, a device or a socket, not a regular file.][This user has no permission to read {denied}, or to enter a folder above it.]',
    action:
      '[Create the folder {parent}, or correct the path.][Correct the path, or put the file at {absent}.][Check that the disk is mounted (findmnt) and that storage.root (--storage-root) is its folder: {disk}.][Name a file, not the folder {folder}.][Name a regular file, or write the content to one first: {special}.][Grant this user the permission to read {denied}, or use another user.]',
  },
  'SVC-FIL-006': {
    what: '{path} is there already[{kept!}, and was not made by svc]. Nothing was written.',
    cause:
      '[{kept=yes}This command never replaces a file.][{kept=folder}It is a file, and a folder is wanted here.][{kept!}Another program or a person wrote the file.]',
    action:
      '[{kept=yes}Choose another name, or move the file away.][{kept=folder}Name a folder, or move the file away.][{kept!}Look at the file. To replace it, run the command again with --overwrite; or write into another folder.]',
  },
  'SVC-FIL-007': {
    what: '{path} is not written: {rule}. Nothing was written.',
    cause: 'There is a symbolic link on the way to this path, or the path leads out of the folder.',
    action: 'Look at {path} and the folders above it. Remove the link, or write into another folder.',
  },
  'SVC-FIL-008': {
    what: 'The package repository {path} does not hold together (faults: {count}). Nothing was stored.',
    cause:
      'A file that an index names is absent or has another size or hash, an index cannot be read, a package is cut off or no index names it, or a signature is not of the wanted key: {faults}.',
    action:
      'Copy the damaged packages or the whole repository again, or make its index anew where its packages are, and sign it there; then pack again.',
  },
  'SVC-FIL-009': {
    what: '{program} made no index or signature for {path}[: {detail}]. Nothing was stored.',
    cause:
      '[{absent=yes}The program {program} is not installed, or not on PATH.][{problem=locked}The key has a passphrase, and svc lets gpg ask for none.][{problem=no-key}The keyring of this user has no secret key with this fingerprint.][{absent!}{problem!}The program failed: a package or the key is not usable; a revoked or expired key signs nothing.]',
    action:
      '[{absent=yes}Install {program} (Debian: apt-utils, createrepo-c, gnupg), or make the index on another machine.][{problem=locked}Unlock the key in gpg-agent and run the command again: on a terminal, gpg --local-user FINGERPRINT --clearsign FILE asks for the passphrase, and gpg-agent keeps it for some minutes. Or run svc fileset pack DIRECTORY NAME:VERSION --index KIND without --gpg-key: it makes the index and prints the line that signs it.][{problem=no-key}Look for the fingerprint in gpg --list-secret-keys, or import the key. Or run svc fileset pack DIRECTORY NAME:VERSION --index KIND without --gpg-key: it makes the index and prints the line that signs it where the key is.][{absent!}{problem!}Correct what the program names, and run the command again.]',
  },
  'SVC-CHT-001': {
    what: 'The chart {chart} depends on {dependency}, which is neither embedded in it nor listed.',
    cause:
      'The chart was packaged without its dependencies; they cannot be fetched in a zone without network.',
    action:
      'Package the chart with its dependencies (helm dependency update), or list {dependency} as an ingredient.',
  },
  'SVC-CHT-002': {
    what: 'The chart {chart} was not rendered[: {detail}].',
    cause:
      '[{problem=absent}There is no program helm on PATH.][{problem=late}helm template did not end within 60 s.][{problem=memory}helm template needed more than 1 GiB of memory: a template of the chart has no bound.][{problem=unlimited}The memory of helm could not be limited to 1 GiB: ulimit -d failed.][{problem!}helm template ended with an error: a value is missing, or the chart needs a cluster.]',
    action:
      '[{problem=absent}Install helm 3, or leave --render out: the annotation and the values of the chart are then read.][{problem=late}Render the chart by hand, and give the manifests with --from.][{problem=memory}Look at the templates of the chart, or leave --render out: the annotation and the values of the chart are then read.][{problem=unlimited}Run the command where ulimit -d can be lowered, or leave --render out: the annotation and the values of the chart are then read.][{problem!}Give the missing values with --values, or render the chart by hand and give the manifests with --from.] Nothing was written.',
  },
  'SVC-DRF-001': {
    what: 'These images have no tag: {images}. Nothing was written.',
    cause:
      'The sources name them without a tag, or by a digest that no tag of the repository has. A recipe records which version is meant.',
    action: 'Run the command again, each with a tag or a constraint in the place of TAG: {flags}.',
  },
  'SVC-DRF-002': {
    what: 'There is nothing for a recipe in {sources}[, only proposals: {found}]. Nothing was written.',
    cause:
      '[{proposed=yes}All images found are named where svc cannot tell whether they are used: in custom resources, arguments, variables or texts of templates, or in values of parts that are switched off.][{proposed=chart}All images found are in parts that are switched off, in values that other values may complete or that no template uses, or in the text of templates.][{proposed=no-tag}The values name the images without a tag, and the chart has no appVersion that would be one.][{proposed!}The wrong file was given, or the images are named elsewhere: in values, in another file, or by a program at run time.]',
    action:
      '[{proposed=yes}Write those that are needed to a list, one on each line, and give it with --from.][{proposed=chart}Let --render find what the chart uses, or give other values with --values. Or write those that are needed to a list, one on each line, and give it with --from.][{proposed=no-tag}Give values with the tags (--values), or set appVersion in Chart.yaml.][{proposed!}Check the source. A chart of this machine becomes an ingredient with --push-charts; its templates are rendered with --render. --find-more proposes what looks like an image in arguments and variables.]',
  },
  'SVC-STO-001': {
    what: 'Reading {path} failed[: {detail}].',
    cause:
      '[{problem=unmade}Nothing has been written to it yet, storage.root names another folder, or the disk is not mounted.][{problem=later}A later version of svc wrote this file: this program is an older one.][{problem=denied}The user that runs svc has no permission to read {path}, or to enter a folder above it.][{problem!}The file is missing, the volume was unmounted, the disk has an error, or another program changed the file.]',
    action:
      '[{problem=unmade}Start the instance with svc serve, which makes the store, and fill it with svc sync --wait; svc import and svc fileset pack make one too. If it should be there, check storage.root (--storage-root) and the mount.][{problem=later}Install the version that wrote it, or restore the backup of state and store that was made before the upgrade. The file was not changed.][{problem=denied}Run the command as the user that owns the store and the state (sudo -u <owner> svc …): ls -ld {path} shows the owner. If the user is the right one, give it the files: sudo chown -R {user} {root}.][{problem!}Check the mount and the kernel log. Then run svc store check before anything is written to the store.]',
  },
  'SVC-STO-002': {
    what: 'Writing {path} failed[: {detail}]. Content written earlier is unchanged.',
    cause:
      '[{problem=denied}The user that runs svc has no permission to write {path}, or to enter a folder above it.][{problem=denied-new}{user} may not write into the folder {folder}.][{problem=no-folder}The folder {folder} does not exist.][{problem=read-only}The volume is mounted read-only.][{problem!}The volume is full, failing or unmounted, or a parent folder is missing.]',
    action:
      '[{problem=denied}Run the command as the user that owns the folder (sudo -u <owner> svc …): ls -ld {path} shows the owner, also for the folders above. If the user is the right one, give it the folder: sudo chown -R {user} {root}.][{problem=denied-new}Name a path in a folder of your own, or run the command as the user that owns the folder (sudo -u <owner> svc …): ls -ld {folder} shows the owner.][{problem=no-folder}Make the folder, or correct the path: mkdir -p {folder}.][{problem=read-only}Mount it writable, or name a folder of another volume, then run the command again. After a disk error the system makes a volume read-only: the kernel log says so.][{problem!}Check the mount, its free space and the folders of the path, then run the command again.]',
  },
  'SVC-STO-003': {
    what: 'A partial download could not be kept at {path}[: {detail}].',
    cause:
      '[{problem=denied}The user that runs svc has no permission to write {path}, or to enter a folder above it.][{problem=read-only}The volume of state.root is mounted read-only.][{problem!}The volume of state.root is full, failing or unmounted.]',
    action:
      '[{problem=denied}Run svc as the user that owns state.root (sudo -u <owner> svc …): ls -ld {path} shows the owner, also for the folders above. If the user is the right one, give it the folder: sudo chown -R {user} with the path of state.root.][{problem=read-only}Mount it writable, or set state.root to a folder of another volume. After a disk error the system makes a volume read-only: the kernel log says so.][{problem!}Free space on the volume of state.root, or set transfer.resumeThreshold to 0 to download without resumption.]',
  },
  'SVC-STO-004': {
    what: 'There is not enough space at {path}: {needed:size} needed, {usable:size} usable, {shortfall:size} missing. No partial content was kept.',
    cause:
      '{free:size} are free[, of which {margin} % are the safety margin (preflight.safetyMarginPercent)][; {reserve:size} are reserved for ledgers, accounts and deletion].',
    action:
      'Free {shortfall:size} at {path}, or use a larger volume.[{place!} In a store, a prune and fewer recipes in the Retriever free space too.][{place=state} It is the volume of the state, on which a prune frees nothing: remove what else it holds, such as logs, or stop the instance, move the folder to a larger volume, and set state.root.]',
  },
  'SVC-STO-005': {
    what: 'A file of {size:size} is too large for the filesystem of {path} ({filesystem}); its limit is {limit:size}.',
    cause:
      'FAT filesystems hold no file of 4 GiB or more and limit the number of files in a folder. A folder of ext4 without the feature large_dir is full with some five and a half million blobs, whatever their size.',
    action:
      'Format the medium with exFAT, NTFS or ext4, or remove the ingredient that is too large from this delivery. A store of millions of blobs needs XFS, or ext4 with large_dir.',
  },
  'SVC-STO-006': {
    what: 'The confirmation is wrong; nothing was deleted.',
    cause:
      'Emptying a store cannot be undone and requires the exact word RESET, in capitals, in every language.',
    action: 'To empty this store, send confirmation: RESET.',
  },
  'SVC-STO-007': {
    what: '{path} is in use by another process[: {holder}].',
    cause:
      'An instance or a command uses the same store or state, exports to the same place, indexes the same folder, or wrote to the medium while it was verified.',
    action:
      'Wait for that process or stop it, then try again. There is no lock file to delete: a lock ends with its process.',
  },
  'SVC-STO-008': {
    what: 'The store has format {found}; this version of svc supports {supported}.',
    cause: 'The store was created by another version of svc, usually a newer one.',
    action: 'Use a version of svc that supports format {found}. The store was not changed.',
  },
  'SVC-STO-009': {
    what: '{path} is damaged[: {detail}].',
    cause:
      'Faulty disk, cable or memory, an incomplete copy, or another program that changed files of the store.',
    action:
      'Run svc store check --quarantine, then synchronize or push again: damaged content counts as absent and is fetched again. Then check the disk. Caches in front of the instance may have kept the damaged bytes: raise $svc_epoch in their nginx-cache.conf and reload nginx.',
  },
  'SVC-STO-010': {
    what: '{path} is missing[: {detail}], and content of the store refers to it.',
    cause:
      'The file was removed by another program, never copied, lost by the filesystem, or quarantined because it was damaged.',
    action: 'Synchronize, import or push the content again: only missing content is transferred.',
  },
  'SVC-STO-011': {
    what: 'The records of the store in {path} are not valid: {detail}.',
    cause: 'The file was damaged or lost, or another program changed it.',
    action:
      '[{mended!}Stop the instance and run svc store check --repair: it keeps every record that verifies and every manifest on the disk, and lists the records that are lost.][{mended=copy}Copy all files again from the store at the source: svc store check --repair corrects the store of this instance only. If the store is your own, name its configuration or its state folder (--config, --state-root).][{mended=sync}svc store check --repair does not rebuild this file. On a carried medium, copy all files again from the store at the source. In the store of this instance, stop the instance, remove index.json and media.jsonl, start it and run svc sync --wait: it writes both again.]',
  },
  'SVC-STO-012': {
    what: '[{leftovers!}{path} does not belong to this store: {detail}.][Blobs in {path} that neither the ledgers nor media.jsonl name: {leftovers} ({bytes:size}).]',
    cause:
      '[{leftovers!}The file was put there by another program or by an interrupted write. It is never served and never exported.|An earlier copy into this folder left them: cp replaces files and removes none. They are no damage, and are never served or imported.]',
    action:
      '[{leftovers!}No action is needed. Files of your own can be moved elsewhere.|No action is needed. To remove such blobs, copy the store again with rsync -a --delete --exclude=/_svc, or into an empty folder.]',
  },
  'SVC-STO-013': {
    what: '{path} is not a store and contains other files: {found}.',
    cause:
      '[{state!}The folder is used for something else, is an image layout, or is a store whose ledgers are lost.][{state=yes}The folder is the state folder of an instance: it has accounts and keys, and no content.]',
    action:
      '[{state=yes}Name the folder of the store as storage.root (--storage-root), and this one as state.root (--state-root). Nothing was changed.][{state!}Name a folder that is empty or does not exist. Import an image layout with svc import LAYOUT. Rebuild the ledgers of a store with svc store check --repair. Nothing was changed.]',
  },
  'SVC-STO-014': {
    what: '{path} cannot be read or written at the moment[ ({detail})].',
    cause:
      'The process or the system is out of file descriptors or memory, or the device does not answer. No damage was found and no content was withdrawn.',
    action:
      'Try again. If the error persists, raise the limit of open files (LimitNOFILE, ulimit -n), free memory, or check the disk, its cable and the kernel log.',
  },
  'SVC-STO-015': {
    what: 'The content of {repository} has changed since the preview.',
    cause: 'A synchronization, an import or a push changed it meanwhile. Nothing was deleted.',
    action: 'Ask for the preview again, check what it lists, and confirm that one.',
  },
  'SVC-STO-016': {
    what: 'The recipe {recipe} is not complete in the store: {reference} does not hold {digest}.',
    cause:
      'A registry client or an administrator deleted or replaced content of the recipe while it was being synchronized.',
    action: 'Synchronize again: content that is missing is transferred again.',
  },
  'SVC-STO-017': {
    what: 'No store is created in {path}: nothing is mounted at {mount}.',
    cause:
      'The file /etc/fstab names {mount} as a mount point. Its disk is not connected or was not mounted, so that a new and empty store would be created on the volume below.',
    action:
      'Mount the disk (mount {mount}) and try again. If no disk belongs there, remove the line from /etc/fstab or set storage.root to another folder. Nothing was changed.',
  },
  'SVC-STO-018': {
    what: 'The reset emptied the store in {path}, but one of its ledgers could not be written[ ({detail})].',
    cause:
      'The disk failed, is full, or refused the change between the two ledgers. The content written before the reset is gone, as confirmed.',
    action:
      'Check the disk and the kernel log, then restart the instance: opening the store completes the reset. Until then the store is read-only.',
  },
  'SVC-STO-019': {
    what: 'The disk with {path} is gone[: {detail}].',
    cause:
      'The disk was pulled out or unmounted while it was in use, or the folder was renamed or replaced. No content was found to be damaged.',
    action:
      'Connect the disk, mount it in the same place (findmnt -T {path}), and run the same command again: what was transferred is kept. Where a write was interrupted on FAT32 or exFAT, run fsck first. A running instance goes on by itself, or after a restart when /readyz does not become ready.',
  },
  'SVC-STO-020': {
    what: 'There is no store in {path}, and this configuration creates none: [{state!}the disk is not there][{state=yes}it is a state folder].',
    cause:
      '[{state!}The configuration is for a carried disk (storage.create: false). The disk is not connected or not mounted there, or storage.root names another folder.][{state=yes}storage.root names the state folder of an instance, which has accounts and keys, and no content.]',
    action:
      '[{state=yes}Name the folder of the medium as storage.root (--storage-root), and this one as state.root (--state-root). Nothing was written.][{state!}Connect the disk, mount it (findmnt -T {path}), and try again; or correct storage.root. To make a new store there, set storage.create to true. Nothing was written.]',
  },
  'SVC-MED-001': {
    what: 'The medium[ {mediaId}] has no manifest: {path} is missing[ in {folder}].',
    cause:
      '[{found=empty}The folder is empty: the disk is not mounted there, or the path is wrong.][{found=nested}The folder is not the medium, but beside it or one level too high: the medium is {nested}.][{found=incomplete}The folder is not a medium, the copy is incomplete, or the synchronization at the source was interrupted.][{found=state}The folder is the state folder of an instance: it has accounts and keys, and no content.]',
    action:
      '[{found=state}Give the folder of the medium as storage.root (--storage-root), and this one as state.root (--state-root).][{found=empty}Check that the disk is mounted (findmnt) and that storage.root (--storage-root) is its folder.][{found=nested}Give the folder of the medium: --storage-root {nested}.][{found=incomplete}Check the path. If it is right, copy the medium again, or complete the synchronization at the source.] Nothing was pushed.',
  },
  'SVC-MED-002': {
    what: 'The manifest of the medium[ {mediaId}] cannot be read: {path}[ ({detail})].',
    cause: 'The file is damaged, cut short, or was changed by hand.',
    action: 'Copy the medium again from the source. Nothing from this medium is pushed.',
  },
  'SVC-MED-003': {
    what: 'The medium[ {mediaId}] has manifest format {found}; this version of svc supports {supported}.',
    cause: 'The source and this zone run different versions of svc.',
    action: 'Upgrade svc in this zone to a version that supports format {found}.',
  },
  'SVC-MED-004': {
    what: 'The store on the medium[ {mediaId}] has format {found}; this version of svc supports {supported}.',
    cause: 'The source and this zone run different versions of svc.',
    action: 'Upgrade svc in this zone to a version that supports format {found}.',
  },
  'SVC-MED-005': {
    what: 'The list of recipes on the medium[ {mediaId}] [{missing=yes}is missing|was altered]: {path}[, expected {expected}][, found {actual}].',
    cause:
      '[{missing=yes}The copy of the medium is incomplete.|The records of the medium do not match the signed recipes on it: they were damaged, also while they were copied, or edited.]',
    action:
      '[{missing=yes}Copy the medium again from the source, completely, then verify again.|Do not use this medium; all of its recipes are blocked, and no option overrides this. Copy it again from the source; if the result is the same, make a new medium there.]',
  },
  'SVC-MED-006': {
    what: 'The medium[ {mediaId}] is addressed to zone {found}, and this is zone {expected}.',
    cause: 'Media were swapped, or the setting zone differs from the name of the Retriever of this zone.',
    action:
      'Use the right medium. An administrator can override this with --allow-zone-mismatch; signatures are still checked.',
  },
  'SVC-MED-007': {
    what: 'The medium[ {mediaId}] is older than the last medium imported for zone {zone}: resolved at {resolvedAt}, the last one at {recordedAt}[ (medium {recordedMediaId})].',
    cause:
      '[The last medium was imported at {importedAt}, before its own date: a clock was wrong then, and a medium with the right date counts as older until {recordedAt}.|This is an earlier medium, or a clock at the source was wrong. Importing it could restore old versions.]',
    action:
      'Use a current medium. An administrator who wants the older state[, or knows that this medium was made after the one of {importedAt},] can pass --allow-stale.',
  },
  'SVC-MED-010': {
    what: 'A file is missing from the medium[ {mediaId}]: {path}[, which {recipe} needs].',
    cause: 'The copy is incomplete, or the file was lost in transport.',
    action: 'Copy the file or the medium again from the source, then verify again.',
  },
  'SVC-MED-011': {
    what: 'A file on the medium[ {mediaId}] has the wrong size: {path}[, expected {expected} bytes][, found {actual}][; {recipe} needs it].',
    cause: 'The copy was truncated, data was appended, or the disk is failing.',
    action: 'Copy the file or the medium again from the source, then verify again.',
  },
  'SVC-MED-012': {
    what: 'A file on the medium[ {mediaId}] does not match its digest: {path}[, expected {expected}][, found {actual}][; {recipe} needs it].',
    cause: 'The file was damaged on the disk or while it was copied, or was replaced.',
    action:
      'Copy the medium again from the source. If it happens again, replace the disk and find out who handled it.',
  },
  'SVC-MED-013': {
    what: '{path} is needed but not in the inventory of the medium[ {mediaId}][; {recipe} needs it].',
    cause: 'The manifest was written before the file was added, or was edited.',
    action: 'Complete a synchronization at the source, then copy the medium again.',
  },
  'SVC-MED-014': {
    what: 'A file on the medium[ {mediaId}] cannot be read: {path}[ ({detail})][; {recipe} needs it].',
    cause: 'The disk has an error, or the path is not a regular file.',
    action: 'Check the kernel log, and copy the medium to another disk.',
  },
  'SVC-MED-015': {
    what: '{path} on the medium[ {mediaId}] does not have the name of its digest[; {recipe} needs it].',
    cause: 'The file was added by hand or renamed by a tool.',
    action: 'Make a new medium at the source.',
  },
  'SVC-MED-020': {
    what: '{path} is on the medium[ {mediaId}] but not listed in its manifest. The file was ignored.',
    cause:
      '[{form!}{nested!}Operating systems create such files; the file could also have been added on purpose.][{form=blob}The file has the name of a blob. An earlier copy into this folder leaves such files: cp replaces files and removes none. The file could also have been added on purpose.][{nested} is a medium itself: a copy into a folder that existed already (cp -r) ends one level too deep.]',
    action:
      '[{form!}{nested!}No action is needed: the file is never read or pushed. If the file is unexpected, find out where it comes from.][{form=blob}No action is needed: the file is never served or imported, whatever its bytes are. To remove such files, copy the medium again with rsync -a --delete --exclude=/_svc, or into an empty folder.][If that is the medium to verify or import, give its folder: --storage-root {nested}. Only the medium around it was verified.]',
  },
  'SVC-MED-021': {
    what: '{path} on the medium[ {mediaId}] is not part of a verified recipe. It is not pushed.',
    cause: 'The content was added by unit import or push at the source, or belongs to a blocked recipe.',
    action: 'To carry it, list it in a signed recipe.',
  },
  'SVC-MED-022': {
    what: 'The records of the medium[ {mediaId}] do not match: {path}[ ({detail})].',
    cause:
      'A record was damaged, edited or not copied completely. These records are not signed, and no recipe is accepted because of them.',
    action:
      'The verdict of each recipe is still correct. Copy the medium again, or create it again at the source.',
  },
  'SVC-MED-023': {
    what: 'The medium[ {mediaId}] brings {recipe} in version {version}, lower than {imported}, which was imported before.',
    cause: 'The source returned to an older version, or an older, validly signed delivery is replayed.',
    action:
      'Ask the source whether this is intended. This is only a warning: the recipe is pushed if it passes.',
  },
  'SVC-MED-024': {
    what: 'The medium[ {mediaId}] is dated in the future: resolved at {resolvedAt}, and the clock of this machine says {now}.',
    cause:
      'The clock of the source or of this machine is wrong by more than a day, or the date, which is not signed, was edited.',
    action:
      'Correct the clocks before the import. It records at most a date 24 hours ahead: until then, media with the right date count as older and are refused (SVC-MED-007); an administrator can import them with --allow-stale.',
  },
  'SVC-MED-025': {
    what: 'The medium[ {mediaId}] lists no recipe: nothing was verified, and there is nothing to push.',
    cause:
      'The Retriever of the source names no recipe, all of its recipes failed in the last synchronization, or the list was cut.',
    action:
      'Look into the operation log of the medium (_svc/logs/operations.log, unless logging.media names another file), and synchronize at the source until its recipes are complete.',
  },
  'SVC-MED-030': {
    what: 'The medium[ {mediaId}] was made elsewhere: its content is not served before it has been verified, and not changed before it has been adopted.',
    cause:
      'This store was not made here. In a zone its content is served once the verification has passed. The store is changed only after it has been made the store of this instance.',
    action:
      '[{change!}To read content, verify it: a running instance does so at its start and with POST /api/v1/media/verify, and svc export, svc client config, svc recipe mapping and svc content show do so before they answer. To change content, adopt the store: run a synchronization (svc sync), or stop the instance and run svc store check --adopt.][{change=repair}svc store check --repair corrects the store of this instance only. To have the medium again, copy all files again from the store at the source. To make it a store of this instance, which no other zone can import, add --adopt.]',
  },
  'SVC-MED-031': {
    what: 'A verification of the medium[ {mediaId}] is already running (stage: {stage}).',
    cause: 'Only one verification of a medium runs at a time.',
    action: 'Wait for the report: GET /api/v1/media/verification shows its progress.',
  },
  'SVC-MED-032': {
    what: 'Content of the medium[ {mediaId}] is not available: it did not pass verification.',
    cause:
      'The last verification blocked the medium or the recipes that this content belongs to, or a file of these recipes changed afterwards.',
    action:
      'Read the report, which lists each problem with its file: svc media verify prints it with the configuration of the zone, and a running instance has it at GET /api/v1/media/verification.',
  },
  'SVC-MED-033': {
    what: 'The medium[ {mediaId}] [{problem=away}is away, since the folder of the store is absent or has no medium|was replaced or changed after it was opened]: no content is served until it was opened again and verified.',
    cause:
      '[{problem=away}The disk was unmounted or pulled out, the folder was renamed, or a copy into it has only begun.][{problem!}Another disk was mounted, a delivery was copied into the folder, or the copy is still running.]',
    action:
      '[{problem=away}Connect the disk and mount it in the same place. The instance then opens the medium again and verifies it, without a restart.][{problem!}Wait: when the files no longer change, the instance opens the medium again and verifies it, without a restart. GET /api/v1/media/verification, svc status and the page Medium show when it is done. If nothing was copied, find out which process writes to the medium.]',
  },
  'SVC-LAY-001': {
    what: '{path} is not a readable image layout[: {detail}].',
    cause: 'The path does not exist, cannot be read, or is not an OCI image layout.',
    action: 'Name the folder or the uncompressed tar archive of an OCI image layout.',
  },
  'SVC-LAY-002': {
    what: 'The whole layout is refused: {path} - {rule}.',
    cause:
      'A layout consists of oci-layout, index.json and blobs/, uncompressed; a layout with other files is not imported.',
    action: 'Create the layout again without the other files; decompress an archive first.',
  },
  'SVC-LAY-003': {
    what: '{path} already exists and was not overwritten[: {detail}].',
    cause: 'An earlier export or another file has this name.',
    action:
      'Choose another path, or pass --overwrite to replace an earlier layout; nothing else is replaced.',
  },
  'SVC-TSK-001': {
    what: 'Task {id} does not exist.',
    cause: 'The identifier is mistyped, or the task was deleted with its log (tasks.keepFinished).',
    action: 'List the tasks of the instance: svc task list, or GET /api/v1/tasks.',
  },
  'SVC-TSK-002': {
    what: '[{actor!}The queue is full: {limit} tasks are waiting.][{actor}: {limit} tasks of this account are waiting, as many as one account may have.] Nothing was added.',
    cause: 'Tasks are queued faster than they finish, or one task takes very long.',
    action: 'Check the running task and cancel what is not needed, then try again later.',
  },
  'SVC-TSK-003': {
    what: 'This is not possible while a task is running[: {task}].',
    cause: 'The task uses the content that this request would change.',
    action: 'Wait until the task has ended, then try again.',
  },
  'SVC-TSK-004': {
    what: 'The task was cancelled by {actor}.',
    cause:
      'The task was stopped on request. Content that it stored before is complete and verified, and is kept.',
    action: 'Start the task again to resume: content that is already stored is not transferred again.',
  },
  'SVC-TSK-005': {
    what: 'The task {task} has already ended.',
    cause: 'Only a task that waits or runs can be cancelled.',
    action: 'See its outcome in the list of tasks.',
  },
  'SVC-TSK-006': {
    what: 'The command {command} ended before it recorded the end of its task.',
    cause: 'It was killed, the machine lost power, or the volume of the state took no more data.',
    action: 'Run the command again: content that is already stored is not transferred again.',
  },
  'SVC-TSK-007': {
    what: 'The task {task} is run by the command {command}, and not by this instance.',
    cause: 'Somebody runs the command on the machine with this state folder.',
    action: 'Interrupt the command there with Ctrl-C, or wait until it has ended.',
  },
  'SVC-SRV-001': {
    what: 'Internal error.',
    cause: 'This is a defect of svc or of the machine it runs on.',
    action: 'Find the correlation identifier in the log, and report the defect with those lines.',
  },
  'SVC-SRV-002': {
    what: '{path} was not found.',
    cause:
      '[{lacks!}The address is mistyped, or belongs to another version of the API.][{lacks=file}{name} has no such file. Folders are not listed.][{lacks=folder}This is the address of a folder of {name}, and folders are not listed.][{lacks=fileset}No FileSet and no view of this name is served here.]',
    action:
      '[{lacks!}See GET /api/v1/openapi.yaml for the API of this instance.][{lacks=file}Compare the address with what svc client config prints for this client. Its first file is dists/SUITE/Release or Release for apt, repodata/repomd.xml for dnf, and index.yaml for helm.][{lacks=folder}Ask for a file: for apt dists/SUITE/Release or Release, for dnf repodata/repomd.xml, for helm index.yaml.][{lacks=fileset}Look for the name in GET /api/v1/filesets: it is that of files.filesets or files.views.]',
  },
  'SVC-SRV-003': {
    what: '{instance} could not be reached or is not an svc instance[: {detail}][; the address is that of {variable}][; the outcome of task {task} is not known].',
    cause:
      'The instance is not running, listens on another address, its certificate is not trusted, or another service answers at this address.',
    action:
      '[Start the instance of this configuration: {start}. ]Check that the instance runs (GET /readyz) and that the address is right: --instance, SVC_INSTANCE_URL or server.addr. Add a private authority or certificate to network.tls.caFiles.[ A started instance resumes its tasks: GET /api/v1/tasks/{task} shows this one.]',
  },
  'SVC-SRV-004': {
    what: 'The method {method} is not allowed here; allowed: {allow}.',
    cause: 'The client was written for another API, or used the wrong address.',
    action: 'Use one of {allow}; see GET /api/v1/openapi.yaml.',
  },
  'SVC-SRV-005': {
    what: 'The type of the request body is not the expected one[: {contentType}].',
    cause: 'The Content-Type header is missing or names another type, or a form breaks off.',
    action: 'Send JSON to the API with Content-Type: application/json, and a form from its page.',
  },
  'SVC-SRV-006': {
    what: 'The instance cannot handle this request now.',
    cause:
      '[{reason=stopping}The instance is shutting down: it completes what is under way and accepts nothing new.][{reason!}Too many sign-ins are waiting, a FileSet is being indexed for its first request, other plans are being made, other artifacts are being inspected, other recipes are being pinned or compared, other large requests are being received, or this work took more than 5 minutes.]',
    action:
      '[{reason=stopping}Try again when the instance has been started again.][{reason!}Try again in a few seconds.]',
  },
  'SVC-SRV-007': {
    what: 'What was shown of {subject} before the confirmation no longer holds.',
    cause: 'It changed meanwhile, or the confirmation names no preview. Nothing was removed or replaced.',
    action: 'Look at what is shown now, and confirm that.',
  },
  'SVC-SRV-008': {
    what: 'Passwords cannot be hashed or checked: there is no folder that code may be loaded from.',
    cause:
      'The single file loads its password hash from a temporary file. None of the folders TMPDIR, XDG_RUNTIME_DIR, /dev/shm and /var/tmp is writable for this user and mounted without noexec.',
    action:
      'Set TMPDIR to a folder that this user can write to and that is mounted without noexec (findmnt shows the options), and start svc again. In a container: --tmpfs /tmp:exec.',
  },
};

/** For an error whose code this version does not know. */
export const unknownEn = {
  what: 'This version has no description of this error[ ({params})].',
  cause: 'A newer version reported the error.',
  action: 'See docs/errors.md of the newer version, or /help of the instance.',
} as const;
