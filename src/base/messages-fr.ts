import type { Messages } from './message.ts';

/** The French texts; see `messages-en.ts` for the notation. */
export const messagesFr: Messages = {
  'SVC-AUTH-001': {
    what: 'L’instance ne démarre pas : l’authentification est active et aucun compte ne pourrait se connecter[ ({detail})].',
    cause:
      'Aucun compte n’a encore été créé, ou aucun dossier d’état (state.root) n’est configuré pour les conserver.',
    action:
      'Définissez state.root (--state-root), puis créez le premier administrateur avec : svc user add <nom> ; ou laissez svc quickstart tout préparer. L’instance ne s’ouvre jamais d’elle-même sans compte.',
  },
  'SVC-AUTH-002': {
    what: 'La requête ne porte aucun identifiant accepté par cette instance.',
    cause:
      'Aucun mot de passe ni jeton n’a été envoyé, le mot de passe est faux, ou le compte ou le jeton a été supprimé ou révoqué.',
    action: 'Reconnectez-vous, ou fournissez un jeton en vigueur (svc sync : --token-file ou SVC_API_TOKEN).',
  },
  'SVC-AUTH-003': {
    what: 'Le rôle de ce compte ou de ce jeton ne permet pas la requête : il faut {role}.',
    cause: 'Les rôles sont viewer, operator et admin ; chacun peut ce que peuvent les précédents.',
    action: 'Utilisez un compte ou un jeton de rôle {role}, ou demandez ce rôle à un administrateur.',
  },
  'SVC-AUTH-004': {
    what: 'La requête a été refusée, car son origine n’a pas pu être établie.',
    cause:
      'Le formulaire est plus ancien que la session, la page a été ouverte avant la connexion, ou un autre site a envoyé la requête.',
    action:
      'Rechargez la page et recommencez. Un programme doit envoyer des identifiants Basic ou Bearer plutôt qu’un cookie.',
  },
  'SVC-AUTH-005': {
    what: 'La session est terminée.',
    cause: 'Elle a expiré, l’instance a redémarré, ou le mot de passe ou le rôle du compte a changé.',
    action: 'Reconnectez-vous.',
  },
  'SVC-AUTH-006': {
    what: 'Le mot de passe actuel n’est pas le bon ; rien n’a été modifié.',
    cause: 'Il a été mal saisi, ou quelqu’un l’a changé entre-temps.',
    action:
      'Saisissez-le de nouveau. S’il est perdu, un administrateur peut en définir un autre : svc user passwd <nom>.',
  },
  'SVC-AUTH-007': {
    what: 'Le nouveau mot de passe n’est pas acceptable[ : {rule}].',
    cause:
      'Un mot de passe compte de 1 à 1024 octets, sans caractère de contrôle, et ne commence pas par svc_.',
    action: 'Choisissez un autre mot de passe.',
  },
  'SVC-AUTH-008': {
    what: 'Le compte ou le jeton ne peut pas être créé ou modifié ainsi : {rule}.',
    cause: 'Un nom ou un rôle n’est pas de ceux que le service connaît.',
    action:
      'Un nom compte de 1 à 64 lettres, chiffres, . _ @ ou - ; les rôles sont viewer, operator et admin.',
  },
  'SVC-AUTH-009': {
    what: 'Le nom {name} est déjà pris.',
    cause: 'Un compte ou un jeton en vigueur porte déjà ce nom.',
    action: 'Choisissez un autre nom. Pour remplacer un jeton, révoquez l’ancien ou créez le nouveau à côté.',
  },
  'SVC-AUTH-010': {
    what: 'Il n’existe ni compte ni jeton nommé {name}.',
    cause: 'Le nom est mal saisi, ou il a été supprimé.',
    action: 'Affichez ce qui existe : svc user list, ou les comptes et jetons de l’API.',
  },
  'SVC-AUTH-011': {
    what: '{name} est le dernier administrateur et le reste.',
    cause: 'Sans administrateur, plus personne ne pourrait gérer les comptes, les jetons ni le contenu.',
    action: 'Donnez d’abord le rôle admin à un autre compte, puis supprimez ou rétrogradez {name}.',
  },
  'SVC-AUTH-012': {
    what: 'Trop d’échecs de connexion depuis cette adresse ; aucun mot de passe n’est essayé pendant {retryAfterSeconds} secondes.',
    cause:
      'Un client envoie sans cesse un mauvais mot de passe, souvent une tâche automatique restée sur l’ancien.',
    action:
      'Trouvez et corrigez ce client (le journal d’audit donne l’adresse), puis attendez {retryAfterSeconds} secondes. Les jetons valides fonctionnent entre-temps.',
  },
  'SVC-CFG-001': {
    what: 'La configuration ne le permet pas : {setting}[ - {detail}].',
    cause: 'Un réglage manque, est mal formé, inconnu, ou en contredit un autre.',
    action:
      'Corrigez {setting} par option, par variable SVC_ ou dans le fichier de configuration. svc config dump montre ce qui est en vigueur.',
  },
  'SVC-CFG-002': {
    what: 'Un élément secret se trouve dans le magasin : {path} est sous {root}.',
    cause:
      'Le magasin peut être emporté sur un support, avec tout ce qu’il contient ; une clé trouvée sur un support ne doit jamais décider de la confiance.',
    action:
      'Déplacez {path} hors de {root}, corrigez le réglage qui le désigne, et remplacez le secret si le magasin a déjà voyagé.',
  },
  'SVC-NET-001': {
    what: 'Le mandataire {proxy} n’a pas pu être utilisé[ : {detail}].',
    cause: 'Il est arrêté, son adresse est fausse, ou il refuse les identifiants ou la destination.',
    action:
      'Vérifiez network.proxy.* et le journal du mandataire. Les destinations à joindre directement vont dans network.proxy.noProxy.',
  },
  'SVC-NET-002': {
    what: 'L’autorité de certification supplémentaire {path} est inutilisable[ : {detail}].',
    cause: 'Le fichier manque, n’est pas lisible pour cet utilisateur, ou ne contient aucun certificat PEM.',
    action:
      'Corrigez network.tls.caFiles ou network.tls.ca. Rien n’est téléchargé avec moins d’autorités que demandé.',
  },
  'SVC-NET-003': {
    what: 'Le certificat d’écoute est inutilisable : {path}[ ({detail})].',
    cause:
      'Un fichier manque ou n’est pas lisible, n’est pas du PEM, ou la clé ne correspond pas au certificat.',
    action:
      'Corrigez server.tls.certFile et server.tls.keyFile, ou retirez les deux pour servir un certificat auto-signé.',
  },
  'SVC-NET-004': {
    what: 'Le nouveau certificat a été refusé et l’ancien reste en service[ : {detail}].',
    cause:
      'Le certificat et la clé ne vont pas ensemble, ne sont pas du PEM, ou le certificat n’est pas valable aujourd’hui.',
    action: 'Envoyez la chaîne complète et sa propre clé privée non chiffrée, toutes deux en PEM.',
  },
  'SVC-VAL-001': {
    what: '{file} n’est pas valide à {path} : {rule}.',
    cause: 'Un membre est mal orthographié, absent, d’un mauvais type, ou enfreint une règle de son format.',
    action: 'Corrigez {path} dans {file} et recommencez. Rien n’a été modifié.',
  },
  'SVC-VAL-002': {
    what: 'L’entrée[ {file}] est plus grande que permis : la limite est de {limit:size}.',
    cause: 'Le mauvais fichier a été donné, ou une source envoie plus qu’un tel document ne peut contenir.',
    action:
      'Vérifiez ce qui a été envoyé. Les limites protègent l’instance et ne se relèvent pas ; un grand document peut être découpé.',
  },
  'SVC-REG-001': {
    what: 'La référence {reference} n’est pas valide[ : {rule}].',
    cause:
      'Une référence est complète : <hôte>[:<port>]/<chemin>, suivie de :<étiquette> ou @<empreinte> là où il en faut une. Rien n’est supposé.',
    action: 'Écrivez la référence en entier, par exemple docker.io/library/alpine:3.20.',
  },
  'SVC-REG-002': {
    what: 'L’hôte {host} n’a pas pu être joint[ : {detail}].',
    cause:
      'Il est arrêté, son nom n’est pas résolu, un pare-feu ou un mandataire fait obstacle, ou son certificat n’est pas reconnu.',
    action:
      'Essayez l’hôte depuis cette machine. Une autorité privée va dans network.tls.caFiles, un registre en HTTP simple dans registries.insecure, un mandataire de sortie dans network.proxy.url.',
  },
  'SVC-REG-003': {
    what: 'L’hôte {host} a refusé les identifiants[ : {detail}].',
    cause:
      'registries.credentialsFile n’a pas d’entrée pour cet hôte précis, ou l’entrée est fausse, expirée ou sans droit suffisant.',
    action:
      'Connectez-vous à {host} avec un client de registre pour essayer les identifiants, puis corrigez l’entrée du fichier.',
  },
  'SVC-REG-004': {
    what: 'L’examen de {host} a duré plus de {timeout}.',
    cause: 'Le registre est lent ou ne répond pas, ou sa réponse est très volumineuse.',
    action: 'Recommencez ; augmentez import.inspectTimeout si ce registre est toujours lent.',
  },
  'SVC-REG-005': {
    what: '{reference} est introuvable[ ; demandé sous le nom {effective}].',
    cause:
      '[Cette machine n’a pas de fichier {file}.|Le nom, l’étiquette ou l’empreinte est faux, il a été supprimé, ou les identifiants ne permettent pas de le voir.][ {hint}]',
    action:
      '[Corrigez le chemin {file}, ou placez-y le fichier ; le Retriever peut aussi venir d’une URL https ou d’une référence oci://.|Vérifiez qu’on peut l’y télécharger avec les mêmes identifiants. Derrière une substitution, vérifiez que la zone amont l’a promu.]',
  },
  'SVC-REG-006': {
    what: 'Aucune version de {reference} ne satisfait {constraint}. Vues : {candidates}.',
    cause:
      'La version n’est pas encore publiée, ou la contrainte l’écarte (les préversions ne comptent que si elles sont nommées).',
    action:
      'Publiez une version qui convient, ou corrigez la contrainte. Les autres entrées ne sont pas touchées.',
  },
  'SVC-REG-007': {
    what: 'Le transfert de {reference} s’est interrompu : {detail}.',
    cause:
      'La source ou un intermédiaire a fermé la connexion, s’est figé, ou n’a pas répondu comme un registre le doit.',
    action:
      'Relancez : ce qui est arrivé est conservé et seul le reste est demandé. Si cela se répète, consultez le journal de la source et des mandataires.',
  },
  'SVC-REG-008': {
    what: '{reference} n’a pas la plateforme {platforms} ; elle a {available}.',
    cause: 'La recette demande une plateforme qui n’a jamais été construite pour cette version.',
    action:
      'Faites nommer par la recette des plateformes existantes, ou publiez celle qui manque à la source.',
  },
  'SVC-POL-001': {
    what: 'L’hôte {host} n’est pas dans la liste autorisée[ (atteint par : {hop})] ; aucune connexion n’a été ouverte.',
    cause:
      'registries.allowlist nomme tous les hôtes joignables, y compris ceux des redirections et des services de jetons.',
    action:
      'Si cet hôte doit être joint, ajoutez {host} à registries.allowlist et redémarrez. Sinon, cherchez qui le désigne.',
  },
  'SVC-POL-002': {
    what: '{repository} est géré par des recettes ({recipes}) et n’a pas été modifié.',
    cause:
      'Le contenu apporté par une recette suit sa recette ; le changer à la main écarterait la zone de ce qui a été signé.',
    action: 'Retirez-le de la recette, ou la recette du Retriever, puis synchronisez avec élagage.',
  },
  'SVC-POL-003': {
    what: '{repository} a été poussé par un client de registre et n’est pas supprimé ici.',
    cause: 'Seul le contenu venu par import unitaire peut être supprimé par cette requête.',
    action: 'Supprimez ses étiquettes ou manifestes par l’interface de registre sous /v2/.',
  },
  'SVC-POL-004': {
    what: '{reference} est déjà publié avec un autre contenu : {published} là-bas, {candidate} ici.',
    cause:
      'Une version publiée ne change jamais ; quelqu’un a publié un autre document sous ce nom et cette version.',
    action:
      'Augmentez la version de la recette et publiez-la. Republier exactement le même document est toujours permis.',
  },
  'SVC-SIG-001': {
    what: '{subject} ne porte aucune signature acceptable (raison : {reason})[ ; clés vues : {fingerprints}].',
    cause:
      'none : personne ne l’a signé, ou la signature n’a pas suivi. untrusted : la clé n’est pas dans trust.roots pour ce livre de recettes. malformed : la signature est illisible. no-roots : aucune racine de confiance n’est configurée ou disponible.',
    action:
      'Faites signer par une clé reconnue, ou ajoutez la clé publique à trust.roots après avoir vérifié son empreinte auprès de son détenteur par une autre voie. Ne désactivez jamais ce contrôle pour passer.',
  },
  'SVC-SIG-002': {
    what: 'Le contenu de {reference} n’est pas celui qui était fixé : attendu {expected}, trouvé {actual}.',
    cause: 'Il a été abîmé pendant le transfert ou sur le disque, ou remplacé volontairement.',
    action:
      'Ne l’utilisez pas. Reprenez-le à l’origine ; s’il diffère encore, considérez la source comme compromise et prévenez son responsable.',
  },
  'SVC-SIG-003': {
    what: 'L’artefact[ {reference}] n’est pas du type déclaré : attendu {expected}, trouvé {actual}.',
    cause:
      'La recette déclare un autre type que ce qui se trouve à cette référence, ou autre chose y a été publié sous ce nom.',
    action: 'Vérifiez ce que contient la référence. Corrigez la recette, ou publiez le bon artefact.',
  },
  'SVC-DST-001': {
    what: 'La destination ne peut pas porter le nom {reference} : {limit}.',
    cause:
      'La relocalisation place l’hôte d’origine et des préfixes devant le chemin, qui devient plus long et plus profond.',
    action:
      'Raccourcissez destination.basePath ou storage.basePrefix, ou utilisez un registre qui accepte de tels noms.',
  },
  'SVC-DST-002': {
    what: 'La destination refuse {reference}, car ces plateformes manquent : {missing}.',
    cause:
      'Seules certaines plateformes ont été transportées, et ce registre veut tous les enfants d’un index ; les autres ne peuvent pas être obtenues d’ici.',
    action:
      'Synchronisez toutes les plateformes à la source (sans platforms dans la recette), ou utilisez un registre qui accepte les index partiels.',
  },
  'SVC-FIL-001': {
    what: '{path} ne peut pas être empaqueté : {rule}.',
    cause:
      'Le chemin n’est pas un dossier lisible, a changé pendant la lecture, ou le nom ou la version n’est pas valide.',
    action: 'Corrigez l’entrée et recommencez. Rien n’a été enregistré.',
  },
  'SVC-FIL-002': {
    what: 'Le dossier n’est pas sûr à empaqueter : {path} - {rule}.',
    cause:
      'Fichiers spéciaux, fichiers setuid, liens vers l’extérieur et noms réservés pourraient nuire là où le FileSet est déballé.',
    action: 'Supprimez ou remplacez {path}, puis recommencez.',
  },
  'SVC-FIL-003': {
    what: 'Le chemin {path} ne peut pas être utilisé ici.',
    cause:
      'L’API ne travaille que sous les dossiers configurés, jamais dans le magasin, l’état, les secrets ou les dossiers du système ; un lien compte là où il mène.',
    action: 'Utilisez un dossier de files.packRoots, ou passez par la ligne de commande de la machine.',
  },
  'SVC-FIL-004': {
    what: 'Le FileSet {reference} n’est pas servi : {path} - {rule}.',
    cause:
      'Une couche de l’image est endommagée, n’est pas une archive de fichiers, dépasse une limite, ou a été faite pour mener hors de son arborescence.',
    action:
      'Vérifiez comment l’image a été faite, ou empaquetez de nouveau le dossier avec svc fileset pack. Rien n’en est servi.',
  },
  'SVC-CHT-001': {
    what: 'Le chart {chart} dépend de {dependency}, qui n’est ni inclus ni listé.',
    cause:
      'Le chart a été empaqueté sans ses dépendances ; dans une zone sans réseau, elles seraient introuvables.',
    action:
      'Empaquetez le chart avec ses dépendances (helm dependency update), listez {dependency} comme ingrédient, ou demandez l’inclusion.',
  },
  'SVC-STO-001': {
    what: 'La lecture de {path} a échoué[ : {detail}].',
    cause:
      'Il n’existe pas, cet utilisateur n’a pas le droit de le lire, le volume a été démonté, le disque a une erreur, ou le fichier a été abîmé de l’extérieur.',
    action: 'Consultez le journal du noyau et le montage. Vérifiez ensuite le magasin avant toute écriture.',
  },
  'SVC-STO-002': {
    what: 'L’écriture de {path} a échoué[ : {detail}]. Ce qui était complet auparavant est intact.',
    cause:
      'Le volume est en lecture seule, plein, défaillant ou absent, un dossier du chemin manque, ou cet utilisateur n’a pas le droit d’y écrire.',
    action: 'Vérifiez le montage, l’espace libre et le propriétaire du dossier, puis recommencez.',
  },
  'SVC-STO-003': {
    what: 'Un téléchargement partiel n’a pas pu être conservé dans {path}[ : {detail}].',
    cause: 'Le volume de state.root est plein, défaillant ou non inscriptible.',
    action:
      'Libérez de la place sur le volume de state.root, ou mettez transfer.resumeThreshold à 0 pour télécharger sans reprise.',
  },
  'SVC-STO-004': {
    what: 'Il n’y a pas assez de place dans {path} : {needed:size} nécessaires, {usable:size} utilisables, il manque {shortfall:size}. Rien n’en a été gardé.',
    cause: '{free:size} sont libres, dont {margin} % gardés en marge (preflight.safetyMarginPercent).',
    action:
      'Libérez {shortfall:size}, prenez un volume plus grand, élaguez, ou retirez des recettes du Retriever.',
  },
  'SVC-STO-005': {
    what: 'Le système de fichiers de {path} ({filesystem}) ne peut pas contenir ceci : {size:size}, et sa limite est {limit:size}.',
    cause:
      'Les systèmes FAT n’acceptent aucun fichier de 4 Gio ou plus, et un nombre borné de fichiers par dossier.',
    action:
      'Formatez le support en exFAT, NTFS ou ext4, ou retirez de cette livraison le contenu trop grand.',
  },
  'SVC-STO-006': {
    what: 'La confirmation n’est pas le mot attendu ; rien n’a été effacé.',
    cause:
      'Vider un magasin est irréversible et demande le mot exact RESET, en capitales et sans traduction.',
    action: 'Envoyez confirmation: RESET si ce magasin doit vraiment être vidé.',
  },
  'SVC-STO-007': {
    what: '{path} est utilisé par un autre processus[ : {holder}].',
    cause:
      'Une instance ou une commande travaille avec le même magasin ou le même état, ou a écrit sur le support pendant le parcours.',
    action:
      'Attendez-la ou arrêtez-la, puis recommencez. Il n’y a pas de fichier verrou à effacer : un verrou finit avec son processus.',
  },
  'SVC-STO-008': {
    what: 'Le magasin est au format {found} ; ce programme connaît {supported}.',
    cause: 'Il a été créé par une autre version du service, en général plus récente.',
    action: 'Utilisez une version de svc qui connaît le format {found}. Le magasin n’a pas été touché.',
  },
  'SVC-STO-009': {
    what: '{path} est abîmé[ : {detail}].',
    cause:
      'Le disque, un câble, la mémoire, une copie interrompue ou quelqu’un a altéré des octets du magasin.',
    action:
      'Lancez svc store check --quarantine, puis synchronisez ou poussez à nouveau : ce qui est abîmé compte comme absent et sera retransféré. Examinez ensuite le disque.',
  },
  'SVC-STO-010': {
    what: '{path} manque[ : {detail}], et du contenu du magasin en a besoin.',
    cause:
      'Il a été retiré de l’extérieur, jamais copié, perdu par le système de fichiers, ou mis en quarantaine parce qu’abîmé.',
    action: 'Synchronisez, importez ou poussez à nouveau ce contenu : seul ce qui manque est transféré.',
  },
  'SVC-STO-011': {
    what: 'Ce que le magasin consigne dans {path} ne tient pas : {detail}.',
    cause: 'Le fichier a été abîmé, perdu ou modifié de l’extérieur.',
    action:
      'Arrêtez l’instance et lancez svc store check --repair : tout enregistrement vérifiable et tout manifeste du disque sont gardés, ce qui est perdu est nommé.',
  },
  'SVC-STO-012': {
    what: '{path} n’est pas un contenu de ce magasin : {detail}.',
    cause: 'Quelqu’un l’a posé là, ou une écriture interrompue l’a laissé. Il n’est jamais servi ni emporté.',
    action: 'Il n’y a rien à faire. Ce que vous reconnaissez comme vôtre peut être déplacé.',
  },
  'SVC-STO-013': {
    what: '{path} n’est pas un magasin et contient autre chose : {found}.',
    cause:
      'Le dossier sert à autre chose, est une disposition d’image OCI, ou est un magasin qui a perdu ses registres.',
    action:
      'Indiquez un dossier vide ou qui n’existe pas encore. Importez une disposition avec svc import. Réécrivez les registres d’un magasin avec svc store check --repair. Rien n’a été touché.',
  },
  'SVC-MED-001': {
    what: 'Le support[ {mediaId}] n’a pas de manifeste : {path} manque.',
    cause:
      'Il a été supprimé ou jamais terminé : la copie est incomplète, ou la synchronisation à la source a été interrompue.',
    action: 'Recopiez le support, ou menez la synchronisation à son terme à la source. Rien n’en est poussé.',
  },
  'SVC-MED-002': {
    what: 'Le manifeste du support[ {mediaId}] est illisible : {path}[ ({detail})].',
    cause: 'Le fichier est abîmé, tronqué, ou modifié à la main.',
    action: 'Recopiez le support depuis la source. Rien n’en est poussé.',
  },
  'SVC-MED-003': {
    what: 'Le support[ {mediaId}] a un manifeste au format {found} ; ce programme connaît {supported}.',
    cause: 'Les deux côtés utilisent des versions différentes du service.',
    action: 'Mettez svc à jour dans cette zone vers une version qui connaît le format {found}.',
  },
  'SVC-MED-004': {
    what: 'Le magasin du support[ {mediaId}] est au format {found} ; ce programme connaît {supported}.',
    cause: 'Les deux côtés utilisent des versions différentes du service.',
    action: 'Mettez svc à jour dans cette zone vers une version qui connaît le format {found}.',
  },
  'SVC-MED-005': {
    what: 'La liste des recettes du support[ {mediaId}] a été altérée : {path}[, attendu {expected}][, trouvé {actual}].',
    cause:
      'Les registres du support ne concordent pas avec les recettes signées qu’il porte : dommage, ou modification volontaire.',
    action:
      'N’utilisez pas ce support. Faites-le refaire à la source ; il est bloqué en entier et rien ne lève ce blocage.',
  },
  'SVC-MED-006': {
    what: 'Le support[ {mediaId}] est destiné à la zone {found}, et celle-ci est la zone {expected}.',
    cause: 'Des supports ont été échangés, ou zone n’est pas réglé comme le nom du Retriever de cette zone.',
    action:
      'Prenez le bon support. Un administrateur sûr de lui peut passer --allow-zone-mismatch ; les signatures sont vérifiées malgré tout.',
  },
  'SVC-MED-007': {
    what: 'Le support[ {mediaId}] est plus ancien que le dernier importé pour la zone {zone} : {resolvedAt} contre {recordedAt}[ (support {recordedMediaId})].',
    cause:
      'Un support antérieur est revenu, ou une horloge était fausse à la source. L’importer pourrait ramener de vieilles versions.',
    action: 'Demandez un support à jour. Un administrateur qui veut l’état ancien peut passer --allow-stale.',
  },
  'SVC-MED-010': {
    what: 'Un fichier manque sur le support[ {mediaId}] : {path}[, dont {recipe} a besoin].',
    cause: 'La copie est incomplète, ou le fichier s’est perdu en route.',
    action: 'Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.',
  },
  'SVC-MED-011': {
    what: 'Un fichier du support[ {mediaId}] n’a pas la bonne taille : {path}[, {expected} octets attendus][, {actual} trouvés][ ; {recipe} en a besoin].',
    cause: 'La copie a été tronquée, quelque chose a été ajouté, ou le disque est défaillant.',
    action: 'Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.',
  },
  'SVC-MED-012': {
    what: 'Un fichier du support[ {mediaId}] n’a pas le contenu que dit son empreinte : {path}[, attendu {expected}][, trouvé {actual}][ ; {recipe} en a besoin].',
    cause: 'Le disque ou la copie l’a abîmé, ou quelqu’un l’a remplacé.',
    action:
      'Recopiez le support depuis la source. Si cela se reproduit, changez de disque et cherchez qui l’a manipulé.',
  },
  'SVC-MED-013': {
    what: '{path} est nécessaire, mais absent de l’inventaire du support[ {mediaId}][ ; {recipe} en a besoin].',
    cause: 'Le manifeste a été écrit avant l’arrivée du fichier, ou modifié.',
    action: 'Relancez la synchronisation à la source jusqu’au bout, et transportez de nouveau le support.',
  },
  'SVC-MED-014': {
    what: 'Un fichier du support[ {mediaId}] est illisible : {path}[ ({detail})][ ; {recipe} en a besoin].',
    cause:
      'Le disque a une erreur, le fichier n’est pas ordinaire, ou cet utilisateur n’a pas le droit de le lire.',
    action: 'Consultez le journal du noyau et les droits, et copiez le support sur un autre disque.',
  },
  'SVC-MED-015': {
    what: '{path}, sur le support[ {mediaId}], ne porte pas le nom de son contenu[ ; {recipe} en a besoin].',
    cause: 'Quelqu’un l’y a mis à la main, ou un outil l’a renommé.',
    action: 'Faites refaire le support à la source.',
  },
  'SVC-MED-020': {
    what: '{path} se trouve sur le support[ {mediaId}] sans être couvert par son manifeste. Il a été ignoré.',
    cause: 'Les systèmes d’exploitation laissent de tels fichiers ; il peut aussi avoir été placé là exprès.',
    action: 'Rien à faire : il n’est jamais lu ni poussé. Cherchez d’où il vient s’il est inattendu.',
  },
  'SVC-MED-021': {
    what: '{path}, sur le support[ {mediaId}], n’est atteint par aucune recette vérifiée. Il n’est jamais poussé.',
    cause: 'Il est venu par import unitaire ou poussée à la source, ou appartient à une recette bloquée.',
    action: 'Pour le transporter, faites-le nommer par une recette signée.',
  },
  'SVC-MED-022': {
    what: 'Les registres de contenu du support[ {mediaId}] ont été altérés : {path}[ ({detail})].',
    cause: 'Ils sont abîmés ou modifiés. Ils ne sont pas signés et rien n’en dépend.',
    action: 'Le verdict sur les recettes tient. Prévenez la source, et recopiez le support à l’occasion.',
  },
  'SVC-MED-023': {
    what: 'Le support[ {mediaId}] apporte {recipe} en version {version}, inférieure à {imported}, importée auparavant.',
    cause:
      'La source est revenue volontairement à une version antérieure, ou quelqu’un rejoue une ancienne livraison dûment signée.',
    action:
      'Demandez à la source si c’est voulu. Ce n’est que signalé : la recette est poussée si elle est vérifiée.',
  },
  'SVC-MED-024': {
    what: 'Le support[ {mediaId}] se dit résolu le {resolvedAt}, et l’horloge indique ici {now}.',
    cause:
      'L’horloge de la source ou de cette machine se trompe de plus d’un jour, ou la date non signée a été modifiée.',
    action:
      'Réglez les horloges. La date n’est retenue que jusqu’à 24 heures d’avance, pour ne bloquer aucun support suivant.',
  },
  'SVC-MED-030': {
    what: 'Le contenu du support[ {mediaId}] n’est pas disponible avant sa vérification.',
    cause:
      'Ce magasin n’a pas été fait ici. Dans une zone, rien n’en est servi ni modifié tant que sa vérification ne l’a pas libéré.',
    action: 'Lancez la vérification : svc media verify, ou POST /api/v1/media/verify, et lisez son rapport.',
  },
  'SVC-MED-031': {
    what: 'Une vérification du support[ {mediaId}] est déjà en cours (étape : {stage}).',
    cause: 'Un support n’est parcouru que par une vérification à la fois.',
    action: 'Attendez son rapport : GET /api/v1/media/verification montre son avancement.',
  },
  'SVC-MED-032': {
    what: 'Le contenu du support[ {mediaId}] reste fermé : sa vérification ne l’a pas libéré.',
    cause: 'Le dernier rapport bloque le support, ou les recettes auxquelles ce contenu appartient.',
    action: 'Lisez le rapport (GET /api/v1/media/verification) : il dit ce qui ne va pas et où.',
  },
  'SVC-LAY-001': {
    what: '{path} n’est pas une disposition d’images lisible[ : {detail}].',
    cause: 'Le chemin n’existe pas, n’est pas lisible, ou désigne autre chose.',
    action: 'Donnez le dossier ou l’archive tar non compressée d’une disposition d’images OCI.',
  },
  'SVC-LAY-002': {
    what: 'La disposition est refusée en entier : {path} - {rule}.',
    cause:
      'Une disposition contient oci-layout, index.json et blobs/, sans compression, et rien d’autre ; rien de plus n’entre sans être vu.',
    action: 'Refaites-la sans le contenu étranger ; décompressez d’abord une archive.',
  },
  'SVC-LAY-003': {
    what: '{path} existe déjà et n’a pas été remplacé[ : {detail}].',
    cause: 'Un export précédent ou un autre fichier porte ce nom.',
    action: 'Choisissez un autre chemin, ou passez --overwrite pour le remplacer.',
  },
  'SVC-TSK-001': {
    what: 'Il n’y a pas de tâche {id}.',
    cause: 'L’identifiant est mal saisi, ou la tâche a été effacée avec son journal (tasks.keepFinished).',
    action: 'Affichez les tâches de l’instance : GET /api/v1/tasks.',
  },
  'SVC-TSK-002': {
    what: 'La file est pleine : {limit} tâches attendent. Rien n’a été ajouté.',
    cause: 'Les tâches arrivent plus vite qu’elles ne finissent, ou l’une d’elles dure très longtemps.',
    action: 'Regardez la tâche en cours, puis recommencez plus tard.',
  },
  'SVC-TSK-003': {
    what: 'C’est impossible pendant qu’une tâche est en cours[ : {task}].',
    cause: 'La tâche perdrait ce sur quoi elle travaille.',
    action: 'Attendez la fin de la tâche, puis recommencez.',
  },
  'SVC-SRV-001': {
    what: 'Le service a échoué d’une façon imprévue.',
    cause: 'C’est un défaut de svc, ou de la machine qui le porte.',
    action:
      'Cherchez l’identifiant de corrélation dans le journal, où la cause est notée, et signalez-le avec ces lignes.',
  },
  'SVC-SRV-002': {
    what: 'Il n’y a rien à {path}.',
    cause: 'L’adresse est mal saisie, ou appartient à une autre version de l’API.',
    action: 'Voyez GET /api/v1/openapi.yaml pour ce qu’offre cette instance.',
  },
  'SVC-SRV-003': {
    what: 'L’instance {instance} n’a pas pu être jointe ou n’a pas répondu comme telle[ : {detail}].',
    cause:
      'Elle ne tourne pas, écoute ailleurs, son certificat n’est pas reconnu, ou autre chose répond à cette adresse.',
    action:
      'Vérifiez qu’elle tourne (GET /readyz) et l’adresse : --instance, SVC_INSTANCE_URL ou server.addr. Une autorité privée ou un certificat se déclare dans network.tls.caFiles.',
  },
  'SVC-SRV-004': {
    what: 'La méthode {method} n’est pas possible ici ; sont possibles : {allow}.',
    cause: 'Le client ne convient pas à cette API, ou s’est trompé d’adresse.',
    action: 'Utilisez l’une de {allow} ; voyez GET /api/v1/openapi.yaml.',
  },
  'SVC-SRV-005': {
    what: 'Le corps de la requête n’est pas du JSON[ mais {contentType}].',
    cause: 'L’en-tête Content-Type manque ou nomme un autre type.',
    action: 'Envoyez du JSON avec Content-Type: application/json.',
  },
  'SVC-SRV-006': {
    what: 'L’instance ne peut pas traiter cette requête maintenant.',
    cause:
      'Elle s’arrête, trop de connexions attendent à la fois, ou un FileSet est lu pour la première fois.',
    action: 'Recommencez dans quelques secondes.',
  },
};
