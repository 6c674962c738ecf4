import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of the server. */
export const srvErrors = {
  'SVC-SRV-001': {
    class: 'failure',
    status: 500,
    params: {},
    what: ['Internal error.', fr`Erreur interne.`],
    cause: [
      'This is a defect of svc or of the machine it runs on.',
      fr`C’est un défaut de svc ou de la machine sur laquelle il tourne.`,
    ],
    action: [
      'Find the correlation identifier in the log, and report the defect with those lines.',
      fr`Cherchez l’identifiant de corrélation dans le journal, et signalez le défaut avec ces lignes.`,
    ],
  },
  'SVC-SRV-002': {
    class: 'failure',
    status: 404,
    params: { path: 'name', 'lacks?': 'name', 'name?': 'name' },
    what: ['{path} was not found.', fr`{path} est introuvable.`],
    cause: [
      '[{lacks!}The address is mistyped, or belongs to another version of the API.][{lacks=file}{name} has no such file. Folders are not listed.][{lacks=entry}{name} has no such file or folder, or is no FileSet.][{lacks=folder}This is the address of a folder of {name}, and folders are not listed.][{lacks=fileset}No FileSet and no view of this name is served here.]',
      fr`[{lacks!}L’adresse est mal saisie, ou appartient à une autre version de l’API.][{lacks=file}{name} n’a pas ce fichier. Les dossiers ne sont pas listés.][{lacks=entry}{name} n’a pas ce fichier ou ce dossier, ou n’est pas un FileSet.][{lacks=folder}C’est l’adresse d’un dossier de {name}, et les dossiers ne sont pas listés.][{lacks=fileset}Aucun FileSet ni aucune vue de ce nom n’est servi ici.]`,
    ],
    action: [
      '[{lacks!}See GET /api/v1/openapi.yaml for the API of this instance.][{lacks=file}Compare the address with what svc client config prints for this client. Its first file is dists/SUITE/Release or Release for apt, repodata/repomd.xml for dnf, and index.yaml for helm.][{lacks=entry}Look for it in the folder above it, or search by its name.][{lacks=folder}Ask for a file: for apt dists/SUITE/Release or Release, for dnf repodata/repomd.xml, for helm index.yaml.][{lacks=fileset}Look for the name in GET /api/v1/filesets: it is that of files.filesets or files.views.]',
      fr`[{lacks!}Voyez GET /api/v1/openapi.yaml pour l’API de cette instance.][{lacks=file}Comparez l’adresse avec ce que svc client config affiche pour ce client. Son premier fichier est dists/SUITE/Release ou Release pour apt, repodata/repomd.xml pour dnf, et index.yaml pour helm.][{lacks=entry}Cherchez-le dans le dossier qui le contient, ou par son nom.][{lacks=folder}Demandez un fichier : pour apt dists/SUITE/Release ou Release, pour dnf repodata/repomd.xml, pour helm index.yaml.][{lacks=fileset}Cherchez le nom dans GET /api/v1/filesets : c’est celui de files.filesets ou de files.views.]`,
    ],
  },
  'SVC-SRV-003': {
    class: 'failure',
    status: 502,
    params: { instance: 'name', 'detail?': 'text', 'task?': 'name', 'start?': 'name', 'variable?': 'name' },
    what: [
      '{instance} could not be reached or is not an svc instance[: {detail}][; the address is that of {variable}][; the outcome of task {task} is not known].',
      fr`{instance} n’a pas pu être joint ou n’est pas une instance de svc[ : {detail}][ ; l’adresse est celle de {variable}][ ; l’issue de la tâche {task} n’est pas connue].`,
    ],
    cause: [
      'The instance is not running, listens on another address, its certificate is not trusted, or another service answers at this address.',
      fr`L’instance ne tourne pas, écoute à une autre adresse, son certificat n’est pas reconnu, ou un autre service répond à cette adresse.`,
    ],
    action: [
      '[Start the instance of this configuration: {start}. ]Check that the instance runs (GET /readyz) and that the address is right: --instance, SVC_INSTANCE_URL or server.addr. Add a private authority or certificate to network.tls.caFiles.[ A started instance resumes its tasks: GET /api/v1/tasks/{task} shows this one.]',
      fr`[Démarrez l’instance de cette configuration : {start}. ]Vérifiez que l’instance tourne (GET /readyz) et que l’adresse est juste : --instance, SVC_INSTANCE_URL ou server.addr. Ajoutez une autorité privée ou un certificat à network.tls.caFiles.[ Une instance redémarrée reprend ses tâches : GET /api/v1/tasks/{task} montre celle-ci.]`,
    ],
  },
  'SVC-SRV-004': {
    class: 'failure',
    status: 405,
    params: { method: 'name', allow: 'name' },
    what: [
      'The method {method} is not allowed here; allowed: {allow}.',
      fr`La méthode {method} n’est pas autorisée ici ; méthodes autorisées : {allow}.`,
    ],
    cause: [
      'The client was written for another API, or used the wrong address.',
      fr`Le client est écrit pour une autre API, ou utilise une mauvaise adresse.`,
    ],
    action: [
      'Use one of {allow}; see GET /api/v1/openapi.yaml.',
      fr`Utilisez l’une de {allow} ; voyez GET /api/v1/openapi.yaml.`,
    ],
  },
  'SVC-SRV-005': {
    class: 'failure',
    status: 415,
    params: { 'contentType?': 'name' },
    what: [
      'The type of the request body is not the expected one[: {contentType}].',
      fr`Le type du corps de la requête n’est pas celui attendu[ : {contentType}].`,
    ],
    cause: [
      'The Content-Type header is missing or names another type, or a form breaks off.',
      fr`L’en-tête Content-Type manque ou nomme un autre type, ou un formulaire s’interrompt.`,
    ],
    action: [
      'Send JSON to the API with Content-Type: application/json, and a form from its page.',
      fr`Envoyez du JSON à l’API avec Content-Type: application/json, et un formulaire depuis sa page.`,
    ],
  },
  'SVC-SRV-006': {
    class: 'failure',
    status: 503,
    params: { 'reason?': 'text', 'retriever?': 'name' },
    what: [
      'The instance cannot handle this request now.',
      fr`L’instance ne peut pas traiter cette requête maintenant.`,
    ],
    cause: [
      '[{reason=stopping}The instance is shutting down: it completes work under way and accepts no new work.][{reason=reading}The Retriever {retriever}, or a cookbook that it names, has not answered yet.][{reason!}Too many sign-ins are waiting, a FileSet is being indexed for its first request, other plans are being made, other artifacts are being inspected, other recipes are being pinned or compared, other large requests are being received, or this work took more than 5 minutes.]',
      fr`[{reason=stopping}L’instance s’arrête : elle termine ce qui est en cours et n’accepte rien de nouveau.][{reason=reading}Le Retriever {retriever}, ou un livre de recettes qu’il nomme, n’a pas encore répondu.][{reason!}Trop de connexions attendent, un FileSet est indexé pour sa première requête, d’autres plans sont en cours d’établissement, d’autres artefacts sont en cours d’examen, d’autres recettes sont en train d’être figées ou comparées, d’autres requêtes volumineuses sont en cours de réception, ou ce travail a duré plus de 5 minutes.]`,
    ],
    action: [
      '[{reason=stopping}Try again when the instance has been started again.][{reason=reading}Try again in half a minute: the host that does not answer is then named.][{reason!}Try again in a few seconds.]',
      fr`[{reason=stopping}Recommencez quand l’instance aura redémarré.][{reason=reading}Recommencez dans une demi-minute : l’hôte qui ne répond pas est alors nommé.][{reason!}Recommencez dans quelques secondes.]`,
    ],
  },
  'SVC-SRV-007': {
    class: 'failure',
    status: 409,
    params: { subject: 'name' },
    what: [
      '{subject} has changed since the page or preview that was confirmed.',
      fr`Ce qui a été montré de {subject} avant la confirmation n’est plus vrai.`,
    ],
    cause: [
      'It changed meanwhile, or the confirmation names no preview. Nothing was removed or replaced.',
      fr`L’état a changé entre-temps, ou la confirmation ne nomme aucun aperçu. Rien n’a été supprimé ni remplacé.`,
    ],
    action: [
      'Look at the current state, and confirm that.',
      fr`Regardez ce qui est montré maintenant, puis confirmez cela.`,
    ],
  },
  'SVC-SRV-008': {
    class: 'failure',
    status: 500,
    params: {},
    what: [
      'Passwords cannot be hashed or checked: there is no folder that code may be loaded from.',
      fr`Les mots de passe ne peuvent être ni hachés ni vérifiés : il n’y a aucun dossier d’où du code peut être chargé.`,
    ],
    cause: [
      'The single file loads its password hash from a temporary file. None of the folders TMPDIR, XDG_RUNTIME_DIR, /dev/shm and /var/tmp is writable for this user and mounted without noexec.',
      fr`Le fichier unique charge son hachage des mots de passe depuis un fichier temporaire. Aucun des dossiers TMPDIR, XDG_RUNTIME_DIR, /dev/shm et /var/tmp n’est à la fois accessible en écriture pour cet utilisateur et monté sans noexec.`,
    ],
    action: [
      'Set TMPDIR to a folder that this user can write to and that is mounted without noexec (findmnt shows the options), and start svc again. In a container: --tmpfs /tmp:exec.',
      fr`Donnez à TMPDIR un dossier où cet utilisateur peut écrire et qui est monté sans noexec (findmnt affiche les options), puis redémarrez svc. Dans un conteneur : --tmpfs /tmp:exec.`,
    ],
  },
} as const satisfies Family;
