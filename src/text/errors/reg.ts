import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of registries as sources and destinations. */
export const regErrors = {
  'SVC-REG-001': {
    class: 'failure',
    status: 400,
    params: { reference: 'name', 'rule?': 'rule', 'form?': 'name' },
    what: [
      'The reference {reference} is not valid[: {rule}].',
      fr`La référence {reference} n’est pas valide[ : {rule}].`,
    ],
    cause: [
      '[{form=repository}A repository is meant here, without :<tag> and @<digest>: <host>/<path> or <host>:<port>/<path>.][{form!}A reference has the form <host>/<path> or <host>:<port>/<path>, followed by :<tag> or @<digest> where required. There is no default host, repository or tag.]',
      fr`[{form=repository}Il faut ici un dépôt, sans :<étiquette> ni @<empreinte> : <hôte>/<chemin> ou <hôte>:<port>/<chemin>.][{form!}Une référence a la forme <hôte>/<chemin> ou <hôte>:<port>/<chemin>, suivie de :<étiquette> ou @<empreinte> si nécessaire. Il n’y a ni hôte, ni dépôt, ni étiquette par défaut.]`,
    ],
    action: [
      '[{form=repository}Write the repository alone, for example docker.io/library/alpine.][{form!}Write the reference in full, for example docker.io/library/alpine:3.20.]',
      fr`[{form=repository}Écrivez le dépôt seul, par exemple docker.io/library/alpine.][{form!}Écrivez la référence en entier, par exemple docker.io/library/alpine:3.20.]`,
    ],
  },
  'SVC-REG-002': {
    class: 'failure',
    status: 502,
    params: {
      host: 'name',
      'detail?': 'text',
      'problem?': 'name',
      'proxyVariable?': 'name',
      'caVariable?': 'name',
      'clock?': 'name',
      'until?': 'name',
    },
    what: [
      'No usable answer from {host}[: {detail}].',
      fr`Aucune réponse exploitable de {host}[ : {detail}].`,
    ],
    cause: [
      '[{problem=plain}The host has no TLS at this port.][{problem=authority}Neither the system nor network.tls.caFiles has the authority that issued the certificate.][{problem=tls}The host is listed in registries.insecure and has TLS at this port.][{problem=time}The certificate is outside its period of validity, or the clock of this machine is wrong.][{problem=refused}The host is up, and its service is stopped or uses another port.][{problem=name}The name is misspelt, or the resolver of this machine does not know it.][{problem=busy}The host is overloaded or limits requests, and asks to wait until {until}, which is longer than svc waits.][{problem=page}A sign-in page, or the page of a proxy, was sent in the place of the data.][{problem=slow}The registry is slow or does not answer, or its answer is very large.][{problem=answered}The registry, or a proxy before it, answers and cannot serve the request: its storage may be full, slow or down.][{problem!}The host is down or overloaded, its name does not resolve, a firewall or proxy blocks the connection, or its certificate is not trusted.][ The clock of this machine says {clock}: if the clock is wrong, certificate checks fail.]',
      fr`[{problem=plain}L’hôte n’a pas TLS sur ce port.][{problem=authority}Ni le système ni network.tls.caFiles n’ont l’autorité qui a émis le certificat.][{problem=tls}L’hôte figure dans registries.insecure et a TLS sur ce port.][{problem=time}Le certificat est hors de sa période de validité, ou l’horloge de cette machine est fausse.][{problem=refused}L’hôte est en marche, et son service est arrêté ou utilise un autre port.][{problem=name}Le nom est mal écrit, ou le résolveur de cette machine ne le connaît pas.][{problem=busy}L’hôte est surchargé ou limite les requêtes, et demande d’attendre jusqu’à {until}, plus longtemps que svc n’attend.][{problem=page}Une page de connexion, ou celle d’un mandataire, est arrivée à la place des données.][{problem=slow}Le registre est lent ou ne répond pas, ou sa réponse est très volumineuse.][{problem=answered}Le registre, ou un mandataire placé devant lui, répond sans pouvoir faire ce qui est demandé : son stockage est peut-être plein, lent ou arrêté.][{problem!}L’hôte est arrêté ou surchargé, son nom n’est pas résolu, un pare-feu ou un mandataire bloque la connexion, ou son certificat n’est pas reconnu.][ L’horloge de cette machine indique {clock} : si elle est fausse, les contrôles de certificats échouent.]`,
    ],
    action: [
      '[{problem=plain}Correct the port, or list {host} in registries.insecure if its registry is reached over plain HTTP. An instance that runs has to be restarted.][{problem=authority}Get the certificate of the authority from its owner, and name its file in network.tls.caFiles. An instance that runs has to be restarted.][{problem=tls}Remove {host} from registries.insecure, or correct the port. An instance that runs has to be restarted.][{problem=time}Set the clock of this machine if it is wrong; otherwise have the certificate renewed.][{problem=refused}Start the service, or correct the port.][{problem=name}Correct the name, or the resolver (getent hosts asks it); behind an egress proxy, set network.proxy.url.][{problem=busy}Run the same command again after {until}. If the host limits anonymous requests, give it an account in registries.credentialsFile.][{problem=page}Ask {host} from this machine with a browser or curl: sign in to the network where it requests that, correct the address, or name the egress proxy in network.proxy.url.][{problem=slow}Look at the load of the registry and of the way to it, then try again.][{problem=answered}Look into the log of the registry and at the free space of its storage, then run the same command again.][{problem!}Try the host from this machine. A private authority belongs in network.tls.caFiles, a plain-HTTP registry in registries.insecure, an egress proxy in network.proxy.url.][ {proxyVariable} is set and not used; network.proxy.url is.][ {caVariable} is set and not used; network.tls.caFiles is.]',
      fr`[{problem=plain}Corrigez le port, ou ajoutez {host} à registries.insecure si son registre s’atteint en HTTP simple. Une instance en marche doit être redémarrée.][{problem=authority}Demandez le certificat de l’autorité à son détenteur, et nommez son fichier dans network.tls.caFiles. Une instance en marche doit être redémarrée.][{problem=tls}Retirez {host} de registries.insecure, ou corrigez le port. Une instance en marche doit être redémarrée.][{problem=time}Réglez l’horloge de cette machine si elle est fausse ; sinon faites renouveler le certificat.][{problem=refused}Démarrez le service, ou corrigez le port.][{problem=name}Corrigez le nom, ou le résolveur (getent hosts l’interroge) ; derrière un mandataire de sortie, définissez network.proxy.url.][{problem=busy}Relancez la même commande après {until}. Si l’hôte limite les requêtes anonymes, donnez-lui un compte dans registries.credentialsFile.][{problem=page}Interrogez {host} depuis cette machine avec un navigateur ou curl : connectez-vous au réseau s’il le demande, corrigez l’adresse, ou nommez le mandataire de sortie dans network.proxy.url.][{problem=slow}Vérifiez la charge du registre et du chemin qui y mène, puis recommencez.][{problem=answered}Consultez le journal du registre et l’espace libre de son stockage, puis relancez la même commande.][{problem!}Essayez l’hôte depuis cette machine. Une autorité privée va dans network.tls.caFiles, un registre en HTTP simple dans registries.insecure, un mandataire de sortie dans network.proxy.url.][ {proxyVariable} est définie et n’est pas utilisée ; network.proxy.url l’est.][ {caVariable} est définie et n’est pas utilisée ; network.tls.caFiles l’est.]`,
    ],
  },
  'SVC-REG-003': {
    class: 'failure',
    status: 502,
    params: { host: 'name', 'detail?': 'text', 'login?': 'name' },
    what: [
      'The host {host} refused the credentials[: {detail}].',
      fr`L’hôte {host} a refusé les identifiants[ : {detail}].`,
    ],
    cause: [
      'registries.credentialsFile has no entry for exactly this host, or the entry is wrong, has expired or lacks the permission.',
      fr`registries.credentialsFile n’a pas d’entrée pour cet hôte précis, ou l’entrée est fausse, expirée ou sans droit suffisant.`,
    ],
    action: [
      'Log in to {host} with a registry client to test the credentials, then correct its entry in the credentials file.[ docker knows a login for this host ({login}); registries.credentialsFile names the file to use.]',
      fr`Connectez-vous à {host} avec un client de registre pour essayer les identifiants, puis corrigez l’entrée du fichier.[ docker connaît un accès à cet hôte ({login}) ; registries.credentialsFile nomme le fichier utilisé.]`,
    ],
  },
  'SVC-REG-004': {
    class: 'failure',
    status: 504,
    params: { host: 'name', timeout: 'name', 'setting?': 'text' },
    what: ['Inspecting {host} took longer than {timeout}.', fr`L’examen de {host} a duré plus de {timeout}.`],
    cause: [
      'The registry is slow or does not answer, or its answer is very large.',
      fr`Le registre est lent ou ne répond pas, ou sa réponse est très volumineuse.`,
    ],
    action: [
      'Try again[; raise {setting} if this registry is always slow].',
      fr`Recommencez[ ; augmentez {setting} si ce registre est toujours lent].`,
    ],
  },
  'SVC-REG-005': {
    class: 'failure',
    status: 404,
    params: {
      reference: 'name',
      'effective?': 'name',
      'hint?': 'name',
      'file?': 'text',
      'local?': 'name',
      'nearest?': 'name',
      'push?': 'name',
      'recipe?': 'name',
    },
    what: [
      '{reference} was not found[{local=store} in the store][; requested as {effective}].',
      fr`{reference} est introuvable[{local=store} dans le stockage][ ; demandé sous le nom {effective}].`,
    ],
    cause: [
      '[The machine that reads the Retriever has no file {file}.][{local=store}The store has no content of this name: the name is misspelt, or the content was removed.][{local=state}No disk of this delivery was imported here, or it was forgotten already.][{local=custody}No disk of this delivery was written, imported or verified here.][{local=zones}The configuration has no zone of this name.][{local=receipts}No receipt of a zone of this name is known here, and no file has this name.][The registry has no repository {push} and makes none at a push, or it hides the repository from an account that may not push there.][The recipe {recipe} has not been published there yet, or not in this version; the Retriever names it or its cookbook wrongly; or the credentials do not allow reading it.][{file!}{local!}{push!}{recipe!}The name, tag or digest is wrong, the content was removed, or the credentials do not allow reading it.][ {hint}]',
      fr`[La machine qui lit le Retriever n’a pas de fichier {file}.][{local=store}Le stockage n’a aucun contenu de ce nom : le nom est mal écrit, ou le contenu a été supprimé.][{local=state}Aucun disque de cette livraison n’a été importé ici, ou elle a déjà été oubliée.][{local=custody}Aucun disque de cette livraison n’a été écrit, importé ou vérifié ici.][{local=zones}La configuration n’a pas de zone de ce nom.][{local=receipts}Aucun reçu d’une zone de ce nom n’est connu ici, et aucun fichier ne porte ce nom.][Le registre n’a pas de dépôt {push} et n’en crée pas lors d’un envoi, ou il cache le dépôt à un compte qui n’a pas le droit d’y envoyer.][La recette {recipe} n’y a pas encore été publiée, ou pas dans cette version ; le Retriever nomme mal la recette ou son livre de recettes ; ou les identifiants ne permettent pas de la lire.][{file!}{local!}{push!}{recipe!}Le nom, l’étiquette ou l’empreinte est faux, le contenu a été supprimé, ou les identifiants ne permettent pas de le lire.][ {hint}]`,
    ],
    action: [
      '[Correct the path {file}, or put the file there; another source of the Retriever is an https URL or an oci:// reference.][{local=store}Correct the name: svc content list, GET /api/v1/content and GET /api/v1/recipes list the names of the store.][{local=state}Correct the identifier: svc media status lists the deliveries.][{local=custody}Correct the identifier: svc custody list names the deliveries that were written or verified here, and svc media status those that were imported.][{local=zones}Correct the name, or add the zone to zones in the configuration.][{local=receipts}Correct the name: svc receipt list names the zones. Or give the path of a receipt.][ Did you mean {nearest}?][Correct the name, or make the project or repository of {push} at the registry. Then check that the account in registries.credentialsFile may push there.][Publish and sign {recipe} (svc recipe push), or correct its name, its version or its cookbook in the Retriever. With a substitution, check that the source zone has promoted it.][{file!}{local!}{push!}{recipe!}Check that a registry client can pull it with the same credentials. With a substitution, check that the source zone has promoted it.]',
      fr`[Corrigez le chemin {file}, ou placez-y le fichier ; le Retriever peut aussi venir d’une URL https ou d’une référence oci://.][{local=store}Corrigez le nom : svc content list, GET /api/v1/content et GET /api/v1/recipes listent les noms du stockage.][{local=state}Corrigez l’identifiant : svc media status liste les livraisons.][{local=custody}Corrigez l’identifiant : svc custody list nomme les livraisons écrites ou vérifiées ici, et svc media status celles qui ont été importées.][{local=zones}Corrigez le nom, ou ajoutez la zone à zones dans la configuration.][{local=receipts}Corrigez le nom : svc receipt list nomme les zones. Ou donnez le chemin d’un reçu.][ Vouliez-vous dire {nearest} ?][Corrigez le nom, ou créez le projet ou le dépôt de {push} dans le registre. Vérifiez ensuite que le compte de registries.credentialsFile a le droit d’y envoyer.][Publiez et signez {recipe} (svc recipe push), ou corrigez son nom, sa version ou son livre de recettes dans le Retriever. Avec une substitution, vérifiez que la zone source l’a promue.][{file!}{local!}{push!}{recipe!}Vérifiez qu’un client de registre peut le télécharger avec les mêmes identifiants. Avec une substitution, vérifiez que la zone source l’a promu.]`,
    ],
  },
  'SVC-REG-006': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', constraint: 'text', candidates: 'name', 'empty?': 'name' },
    what: [
      'No version of {reference} satisfies {constraint}.[{empty=yes} The repository has no tags.][{empty!} Seen: {candidates}.]',
      fr`Aucune version de {reference} ne satisfait {constraint}.[{empty=yes} Le dépôt n’a aucune étiquette.][{empty!} Vues : {candidates}.]`,
    ],
    cause: [
      'The version has not been published yet, or the constraint excludes it (a pre-release matches only if the constraint names one).',
      fr`La version n’est pas encore publiée, ou la contrainte l’exclut (une préversion ne convient que si la contrainte en nomme une).`,
    ],
    action: [
      'Publish a matching version, or correct the constraint. Other entries are not affected.',
      fr`Publiez une version qui convient, ou corrigez la contrainte. Les autres entrées ne sont pas touchées.`,
    ],
  },
  'SVC-REG-007': {
    class: 'failure',
    status: 502,
    params: { reference: 'name', detail: 'text', 'status?': 'name' },
    what: [
      '[The registry refused {reference} with status {status}: {detail}|The transfer of {reference} was interrupted: {detail}].',
      fr`[Le registre a refusé {reference} avec le statut {status} : {detail}|Le transfert de {reference} s’est interrompu : {detail}].`,
    ],
    cause: [
      '[Status {status} is permanent: the registry does not accept this request.|The source or an intermediary closed the connection, stalled, or sent an answer that is not valid for a registry.]',
      fr`[Le statut {status} est définitif : le registre n’accepte pas cette requête.|La source ou un intermédiaire a fermé la connexion, s’est figé, ou a envoyé une réponse non valide pour un registre.]`,
    ],
    action: [
      '[Do not repeat: status {status} will not change. Look up the reason in the log of the registry and correct it.|Run the command again: received bytes are kept and only the rest is fetched. If the error repeats, check the logs of the source and of proxies.]',
      fr`[Ne recommencez pas : le statut {status} ne changera pas. Cherchez la raison dans le journal du registre et corrigez-la.|Relancez la commande : les octets reçus sont conservés et seul le reste est demandé. Si l’erreur se répète, consultez les journaux de la source et des mandataires.]`,
    ],
  },
  'SVC-REG-008': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', platforms: 'name', available: 'name' },
    what: [
      '{reference} has no platform {platforms}; it has {available}.',
      fr`{reference} n’a pas la plateforme {platforms} ; elle a {available}.`,
    ],
    cause: [
      'The recipe asks for a platform that was never built for this version.',
      fr`La recette demande une plateforme qui n’a jamais été construite pour cette version.`,
    ],
    action: [
      'Correct the platforms of the recipe (leave them out for an image without platforms), or publish the missing platform at the source.',
      fr`Corrigez les plateformes de la recette (ne les indiquez pas pour une image qui n’en a pas), ou publiez à la source celle qui manque.`,
    ],
  },
  'SVC-REG-009': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', detail: 'text' },
    what: [
      'The content of {reference} cannot be used: {detail}.',
      fr`Le contenu de {reference} est inutilisable : {detail}.`,
    ],
    cause: [
      'The source has content that is malformed, larger than 4 MiB, of a media type that svc does not know, nested too deep, or has too many annotations.',
      fr`La source a un contenu mal formé, de plus de 4 Mio, d’un type que svc ne connaît pas, imbriqué trop profondément, ou avec trop d’annotations.`,
    ],
    action: [
      'Do not repeat: this content will not change. Publish it again as an OCI or Docker image, index or chart, or name another version.',
      fr`Ne recommencez pas : ce contenu ne changera pas. Publiez-le de nouveau comme image, index ou chart OCI ou Docker, ou indiquez une autre version.`,
    ],
  },
} as const satisfies Family;
