import type { Messages } from './message.ts';

/** The French texts; see `messages-en.ts` for the notation. */
export const messagesFr: Messages = {
  'SVC-AUTH-001': {
    what: 'L’instance ne démarre pas : l’authentification est active et aucun compte ne pourrait se connecter[ ({detail})].',
    cause:
      'Aucun compte n’a encore été créé, ou aucun dossier d’état (state.root) n’est configuré pour conserver les comptes.',
    action:
      '[Créez le premier administrateur avec : svc user add <nom> {at}.|Définissez state.root (--state-root), puis créez le premier administrateur avec : svc user add <nom> ; ou lancez svc quickstart.] Par défaut, une instance sans compte ne démarre pas.[ {hint}]',
  },
  'SVC-AUTH-002': {
    what: 'La requête ne porte aucun identifiant accepté par cette instance[{session=refused} pour elle : la session d’un navigateur ne suffit pas].',
    cause:
      '[{fileset} n’est pas un FileSet lisible sans identifiant, ou son nom est mal saisi : un client sans identifiant n’apprend pas lequel des deux. ][{session=refused}Le cookie d’une session est accepté par l’interface web, et pour lire par l’API. Toute autre requête demande un identifiant qu’aucun navigateur n’envoie de lui-même, pour qu’un autre site ne puisse pas la provoquer.][{session!}Aucun mot de passe ni jeton n’a été envoyé, le mot de passe est faux, le jeton est mal saisi ou tronqué, ou le compte ou le jeton a été supprimé ou révoqué.]',
    action:
      '[Vérifiez le nom {fileset} dans l’adresse. Pour un FileSet qui demande un identifiant, apt le lit dans /etc/apt/auth.conf.d et dnf dans le fichier repo. ][{session=refused}Envoyez l’en-tête Authorization avec un nom et un mot de passe (Basic) ou un jeton (Bearer) ; se reconnecter n’y change rien.][{session!}En ligne de commande, vérifiez le jeton : le fichier de --token-file, ou SVC_API_TOKEN (nouveau : svc token create NOM --role RÔLE). Dans un navigateur, reconnectez-vous.]',
  },
  'SVC-AUTH-003': {
    what: 'Le rôle de ce compte ou de ce jeton ne permet pas la requête : il faut {role}.',
    cause: 'Les rôles sont viewer, operator et admin ; chacun comprend les droits des précédents.',
    action: 'Utilisez un compte ou un jeton de rôle {role}, ou demandez ce rôle à un administrateur.',
  },
  'SVC-AUTH-004': {
    what: 'La requête a été refusée, car son origine n’a pas pu être établie.',
    cause:
      'Le formulaire est plus ancien que la session, la page a été ouverte avant la connexion, ou un autre site a envoyé la requête.',
    action:
      'Rechargez la page et recommencez. Un programme doit envoyer un jeton Bearer, ou des identifiants Basic sans en-têtes Origin ni Sec-Fetch-Site.',
  },
  'SVC-AUTH-005': {
    what: 'La session est terminée.',
    cause: 'La session a expiré, l’instance a redémarré, ou le mot de passe ou le rôle du compte a changé.',
    action: 'Reconnectez-vous.',
  },
  'SVC-AUTH-006': {
    what: 'Le mot de passe actuel est faux ; rien n’a été modifié.',
    cause: 'Le mot de passe a été mal saisi, ou changé entre-temps.',
    action:
      'Saisissez-le de nouveau. S’il est perdu, un administrateur peut en définir un autre : svc user passwd <nom>.',
  },
  'SVC-AUTH-007': {
    what: 'Le nouveau mot de passe n’est pas acceptable[ : {rule}].',
    cause:
      'Un nouveau mot de passe compte au moins 12 caractères, ou le nombre fixé par auth.passwordMinLength, et au plus 1024 octets, sans caractère de contrôle ; il ne commence pas par svc_.',
    action: 'Choisissez un autre mot de passe.',
  },
  'SVC-AUTH-008': {
    what: 'Le compte ou le jeton ne peut pas être créé ou modifié : {rule}.',
    cause:
      'Le nom ou le rôle n’est pas valide, ou un autre nom n’en diffère que par les majuscules et minuscules.',
    action:
      'Un nom compte de 1 à 64 lettres, chiffres, . _ @ ou - ; les rôles sont viewer, operator et admin.',
  },
  'SVC-AUTH-009': {
    what: 'Le nom {name} est déjà pris.',
    cause: 'Un compte ou un jeton porte déjà ce nom ; un jeton révoqué garde le sien.',
    action:
      'Choisissez un autre nom. Pour remplacer un jeton, créez le nouveau sous un autre nom, puis révoquez l’ancien.',
  },
  'SVC-AUTH-010': {
    what: 'Il n’existe ni compte ni jeton nommé {name}.',
    cause: 'Le nom est mal saisi, ou le compte ou le jeton a été supprimé.',
    action:
      'Affichez les comptes et les jetons : svc user list, svc token list, GET /api/v1/accounts ou GET /api/v1/tokens.',
  },
  'SVC-AUTH-011': {
    what: '{name} est le dernier administrateur et ne peut être ni supprimé ni rétrogradé.',
    cause: 'Seul un administrateur peut gérer les comptes, les jetons et le contenu.',
    action: 'Donnez d’abord le rôle admin à un autre compte, puis supprimez ou rétrogradez {name}.',
  },
  'SVC-AUTH-012': {
    what: 'Trop d’échecs de connexion depuis cette adresse ; les mots de passe et les jetons non valides sont refusés pendant encore {retryAfterSeconds} secondes.',
    cause:
      'Un client envoie sans cesse un mauvais mot de passe ou jeton, souvent une tâche automatique ou un client de registre resté sur l’ancien.',
    action:
      'Trouvez et corrigez ce client (le journal d’audit donne l’adresse), puis attendez {retryAfterSeconds} secondes. Les jetons valides fonctionnent entre-temps.',
  },
  'SVC-CFG-001': {
    what: '[{setting} {detail}|Configuration non valide : {setting}].',
    cause:
      '[{problem=address}Une autre instance ou un autre programme écoute à cette adresse, ou l’adresse n’est pas utilisable sur cette machine.|Un réglage manque, est mal formé, inconnu, ou en contredit un autre.]',
    action:
      '[{problem=address}Arrêtez le programme qui l’utilise (ss -ltnp l’affiche), ou choisissez une autre adresse : server.addr (--server-addr).|Corrigez l’option, la variable SVC_ ou le fichier de configuration. svc config dump affiche la configuration effective.][ {hint}]',
  },
  'SVC-CFG-002': {
    what: 'Un élément secret se trouve dans le magasin : {path} est sous {root}.',
    cause:
      'Un magasin peut être transporté sur un support avec tous ses fichiers ; une clé trouvée sur un support ne doit jamais décider de la confiance.',
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
    what: 'Les autorités de certification de {path} sont inutilisables[ : {detail}].',
    cause:
      'Le fichier manque, n’est pas lisible pour cet utilisateur, ou n’est pas une suite de certificats PEM en ASCII.',
    action:
      'Corrigez network.tls.caFiles, network.tls.ca, SSL_CERT_FILE ou SSL_CERT_DIR. Aucune connexion n’est ouverte avec moins d’autorités que configuré.',
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
    what: '[{file}|L’entrée] n’est pas valide[ à {path}][ (ligne {line})] : {rule}.',
    cause:
      '[{problem=list}La ligne est mal écrite, ou le fichier n’est pas une liste d’images.][{problem=name}Le nom est mal orthographié, ou appartient à un autre document.][{problem=variable}Le fichier utilise une variable et n’en donne pas de valeur par défaut.][{problem=source}Un autre fichier est attendu ici.][{problem=folder}Un dossier est lu pour les images et les charts que nomment ses fichiers, ou empaqueté comme FileSet.][{problem=key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=private-key}Le fichier d’une clé publique est attendu ici : un seul bloc PEM PUBLIC KEY.][{problem=token}Le fichier d’un jeton d’API est attendu ici : sa première ligne est le secret que svc token create a affiché.][{unpinned!}{problem!}Un membre est mal orthographié, absent, d’un mauvais type, ou enfreint une règle de son format.][{unpinned=yes}Le document est un brouillon : seule une recette figée, avec une étiquette exacte et une empreinte pour chaque ingrédient, désigne toujours le même contenu.]',
    action:
      '[{unpinned=yes}Lancez svc recipe pin {file}, qui interroge les registres et écrit chaque étiquette et chaque empreinte.][{unpinned!}{problem!}Corrigez {path} dans {file} et recommencez.][{problem=list}Corrigez la ligne et recommencez.][{problem=name}Donnez un nom qui s’y trouve.][{problem=variable}Écrivez NOM=valeur dans un fichier et indiquez-le avec --env-file, ou écrivez une valeur par défaut dans {file}.][{problem=source}Donnez le bon fichier, ou corrigez {file}.][{problem=folder}Relancez la commande comme le dit la règle.][{problem=key}Indiquez le fichier d’une clé publique : ECDSA sur P-256, P-384 ou P-521, Ed25519, ou RSA à partir de 2048 bits.][{problem=private-key}Indiquez le fichier de sa clé publique. openssl pkey -pubout -in {file} l’affiche.][{problem=token}Nommez le fichier du jeton, ou écrivez son secret dans {file}.][{path!}{problem!}Corrigez {file} et recommencez.] Rien n’a été modifié.',
  },
  'SVC-VAL-002': {
    what: 'L’entrée[ {file}] est plus grande que permis : la limite est de {limit:size}.',
    cause:
      'Le mauvais fichier a été donné, ou la source a envoyé un document plus grand que ce format ne le permet.',
    action:
      'Vérifiez l’entrée. La limite protège l’instance et ne peut pas être relevée ; découpez un grand document.',
  },
  'SVC-REG-001': {
    what: 'La référence {reference} n’est pas valide[ : {rule}].',
    cause:
      '[{form=repository}Il faut ici un dépôt, sans :<étiquette> ni @<empreinte> : <hôte>/<chemin> ou <hôte>:<port>/<chemin>.][{form!}Une référence a la forme <hôte>/<chemin> ou <hôte>:<port>/<chemin>, suivie de :<étiquette> ou @<empreinte> si nécessaire. Il n’y a ni hôte, ni dépôt, ni étiquette par défaut.]',
    action:
      '[{form=repository}Écrivez le dépôt seul, par exemple docker.io/library/alpine.][{form!}Écrivez la référence en entier, par exemple docker.io/library/alpine:3.20.]',
  },
  'SVC-REG-002': {
    what: 'Aucune réponse exploitable de {host}[ : {detail}].',
    cause:
      '[{problem=plain}L’hôte n’a pas TLS sur ce port.][{problem=authority}Ni le système ni network.tls.caFiles n’ont l’autorité qui a émis le certificat.][{problem=tls}L’hôte figure dans registries.insecure et a TLS sur ce port.][{problem=time}Le certificat est hors de sa période de validité, ou l’horloge de cette machine est fausse.][{problem=refused}L’hôte est en marche, et son service est arrêté ou utilise un autre port.][{problem=name}Le nom est mal écrit, ou le résolveur de cette machine ne le connaît pas.][{problem=busy}L’hôte est surchargé ou limite les requêtes, et demande d’attendre jusqu’à {until}, plus longtemps que svc n’attend.][{problem=page}Une page de connexion, ou celle d’un mandataire, est arrivée à la place des données.][{problem=slow}Le registre est lent ou ne répond pas, ou sa réponse est très volumineuse.][{problem=answered}Le registre, ou un mandataire placé devant lui, répond sans pouvoir faire ce qui est demandé : son stockage est peut-être plein, lent ou arrêté.][{problem!}L’hôte est arrêté ou surchargé, son nom n’est pas résolu, un pare-feu ou un mandataire bloque la connexion, ou son certificat n’est pas reconnu.][ L’horloge de cette machine indique {clock} : si elle est fausse, les contrôles de certificats échouent.]',
    action:
      '[{problem=plain}Corrigez le port, ou ajoutez {host} à registries.insecure si son registre s’atteint en HTTP simple. Une instance en marche doit être redémarrée.][{problem=authority}Demandez le certificat de l’autorité à son détenteur, et nommez son fichier dans network.tls.caFiles. Une instance en marche doit être redémarrée.][{problem=tls}Retirez {host} de registries.insecure, ou corrigez le port. Une instance en marche doit être redémarrée.][{problem=time}Réglez l’horloge de cette machine si elle est fausse ; sinon faites renouveler le certificat.][{problem=refused}Démarrez le service, ou corrigez le port.][{problem=name}Corrigez le nom, ou le résolveur (getent hosts l’interroge) ; derrière un mandataire de sortie, définissez network.proxy.url.][{problem=busy}Relancez la même commande après {until}. Si l’hôte limite les requêtes anonymes, donnez-lui un compte dans registries.credentialsFile.][{problem=page}Interrogez {host} depuis cette machine avec un navigateur ou curl : connectez-vous au réseau s’il le demande, corrigez l’adresse, ou nommez le mandataire de sortie dans network.proxy.url.][{problem=slow}Vérifiez la charge du registre et du chemin qui y mène, puis recommencez.][{problem=answered}Consultez le journal du registre et l’espace libre de son stockage, puis relancez la même commande.][{problem!}Essayez l’hôte depuis cette machine. Une autorité privée va dans network.tls.caFiles, un registre en HTTP simple dans registries.insecure, un mandataire de sortie dans network.proxy.url.][ {proxyVariable} est définie et n’est pas utilisée ; network.proxy.url l’est.][ {caVariable} est définie et n’est pas utilisée ; network.tls.caFiles l’est.]',
  },
  'SVC-REG-003': {
    what: 'L’hôte {host} a refusé les identifiants[ : {detail}].',
    cause:
      'registries.credentialsFile n’a pas d’entrée pour cet hôte précis, ou l’entrée est fausse, expirée ou sans droit suffisant.',
    action:
      'Connectez-vous à {host} avec un client de registre pour essayer les identifiants, puis corrigez l’entrée du fichier.[ docker connaît un accès à cet hôte ({login}) ; registries.credentialsFile nomme le fichier utilisé.]',
  },
  'SVC-REG-004': {
    what: 'L’examen de {host} a duré plus de {timeout}.',
    cause: 'Le registre est lent ou ne répond pas, ou sa réponse est très volumineuse.',
    action: 'Recommencez[ ; augmentez {setting} si ce registre est toujours lent].',
  },
  'SVC-REG-005': {
    what: '{reference} est introuvable[{local=store} dans le magasin][ ; demandé sous le nom {effective}].',
    cause:
      '[La machine qui lit le Retriever n’a pas de fichier {file}.][{local=store}Le magasin n’a aucun contenu de ce nom : le nom est mal écrit, ou le contenu a été supprimé.][Le registre n’a pas de dépôt {push} et n’en crée pas lors d’un envoi, ou il cache le dépôt à un compte qui n’a pas le droit d’y envoyer.][La recette {recipe} n’y a pas encore été publiée, ou pas dans cette version ; le Retriever nomme mal la recette ou son livre de recettes ; ou les identifiants ne permettent pas de la lire.][{file!}{local!}{push!}{recipe!}Le nom, l’étiquette ou l’empreinte est faux, le contenu a été supprimé, ou les identifiants ne permettent pas de le lire.][ {hint}]',
    action:
      '[Corrigez le chemin {file}, ou placez-y le fichier ; le Retriever peut aussi venir d’une URL https ou d’une référence oci://.][{local=store}Corrigez le nom : svc content list, GET /api/v1/content et GET /api/v1/recipes listent les noms du magasin.][ Vouliez-vous dire {nearest} ?][Corrigez le nom, ou créez le projet ou le dépôt de {push} dans le registre. Vérifiez ensuite que le compte de registries.credentialsFile a le droit d’y envoyer.][Publiez et signez {recipe} (svc recipe push), ou corrigez son nom, sa version ou son livre de recettes dans le Retriever. Avec une substitution, vérifiez que la zone source l’a promue.][{file!}{local!}{push!}{recipe!}Vérifiez qu’un client de registre peut le télécharger avec les mêmes identifiants. Avec une substitution, vérifiez que la zone source l’a promu.]',
  },
  'SVC-REG-006': {
    what: 'Aucune version de {reference} ne satisfait {constraint}.[{empty=yes} Le dépôt n’a aucune étiquette.][{empty!} Vues : {candidates}.]',
    cause:
      'La version n’est pas encore publiée, ou la contrainte l’exclut (une préversion ne convient que si la contrainte en nomme une).',
    action:
      'Publiez une version qui convient, ou corrigez la contrainte. Les autres entrées ne sont pas touchées.',
  },
  'SVC-REG-007': {
    what: '[Le registre a refusé {reference} avec le statut {status} : {detail}|Le transfert de {reference} s’est interrompu : {detail}].',
    cause:
      '[Le statut {status} est définitif : le registre n’accepte pas cette requête.|La source ou un intermédiaire a fermé la connexion, s’est figé, ou a envoyé une réponse non valide pour un registre.]',
    action:
      '[Ne recommencez pas : le statut {status} ne changera pas. Cherchez la raison dans le journal du registre et corrigez-la.|Relancez la commande : les octets reçus sont conservés et seul le reste est demandé. Si l’erreur se répète, consultez les journaux de la source et des mandataires.]',
  },
  'SVC-REG-008': {
    what: '{reference} n’a pas la plateforme {platforms} ; elle a {available}.',
    cause: 'La recette demande une plateforme qui n’a jamais été construite pour cette version.',
    action:
      'Corrigez les plateformes de la recette (ne les indiquez pas pour une image qui n’en a pas), ou publiez à la source celle qui manque.',
  },
  'SVC-REG-009': {
    what: 'Le contenu de {reference} est inutilisable : {detail}.',
    cause:
      'La source a un contenu mal formé, de plus de 4 Mio, d’un type que svc ne connaît pas, imbriqué trop profondément, ou avec trop d’annotations.',
    action:
      'Ne recommencez pas : ce contenu ne changera pas. Publiez-le de nouveau comme image, index ou chart OCI ou Docker, ou indiquez une autre version.',
  },
  'SVC-POL-001': {
    what: '[{host} n’a pas été contacté (raison : {reason})|L’hôte {host} n’est pas dans la liste autorisée, aucune connexion n’a été ouverte][ (nommé par : {hop})].',
    cause:
      '[L’adresse enfreint une règle des connexions : {reason}. scheme : elle n’est ni http ni https. user-information : elle contient un nom ou un mot de passe. https-only : seul https est admis ici. downgrade : un hôte https a redirigé vers http simple. plain-http : l’hôte n’est pas dans registries.insecure. inner-address : un hôte public a redirigé vers une adresse privée. secret : un secret aurait été envoyé à un autre hôte. other-origin : la page suivante d’une liste est sur un autre hôte.|registries.allowlist nomme chaque hôte qui peut être contacté, y compris ceux des redirections et des services de jetons.]',
    action:
      '[La liste autorisée est sans effet sur cette règle ({reason}) : corrigez l’adresse là où elle est configurée, ou faites-la corriger par le responsable de l’hôte qui l’a renvoyée. Ajoutez à registries.insecure un hôte qui ne sert que HTTP simple.|Si cet hôte doit être contacté, ajoutez {host} à registries.allowlist et redémarrez. Sinon, cherchez le document ou le registre qui le nomme.]',
  },
  'SVC-POL-002': {
    what: '{repository} est géré par des recettes ({recipes}) et n’a pas été modifié.',
    cause:
      'Le contenu d’une recette ne change que par sa recette ; une modification manuelle écarterait la zone de ce qui a été signé.',
    action: 'Retirez le contenu de la recette, ou la recette du Retriever, puis lancez svc sync --prune.',
  },
  'SVC-POL-003': {
    what: '{repository} a été poussé par un client de registre et ne peut pas être supprimé par cette requête.',
    cause: 'Cette requête ne supprime que le contenu ajouté par import unitaire.',
    action: 'Supprimez ses étiquettes ou manifestes par l’interface de registre sous /v2/.',
  },
  'SVC-POL-004': {
    what: '{reference} est déjà publié avec un autre contenu : empreinte publiée {published}[ (document {document})], empreinte de ce [{content=chart}chart][{content=fileset}FileSet][{content!}document] {candidate}.',
    cause:
      '[{content=chart}Le registre a un autre chart de ce nom et de cette version : le chart a été modifié, ou empaqueté à partir d’autres fichiers.][{content=fileset}Le registre a un autre FileSet sous cette version : le dossier a changé depuis, ou un autre dossier a été empaqueté.][{content!}Une version publiée est immuable, et un autre document a été publié sous ce nom et cette version.]',
    action:
      '[{content=chart}Augmentez version dans Chart.yaml et poussez le chart de nouveau, ou poussez-le sous un autre dépôt.][{content=fileset}Empaquetez et poussez le dossier sous une autre version ; svc recipe init la prend de --tag NOM=VERSION. Le même dossier sous la même version est toujours accepté.][{content!}Augmentez la version de la recette et publiez de nouveau. Publier un document identique réussit toujours. Si la version publiée a été supprimée, un administrateur peut supprimer le dépôt pour libérer ses étiquettes.]',
  },
  'SVC-POL-005': {
    what: '{reference} a été empaqueté sur cette instance et n’a pas été modifié.',
    cause:
      'Un administrateur a empaqueté ce FileSet ; ni les recettes, ni les clients de registre, ni les imports ne peuvent remplacer ou supprimer un FileSet empaqueté.',
    action:
      'Poussez sous une autre étiquette, ou demandez à un administrateur d’empaqueter à nouveau la version ou de supprimer le dépôt.',
  },
  'SVC-SIG-001': {
    what: '{subject} ne porte aucune signature acceptable (raison : {reason})[ ; clés que des signatures nomment, sans preuve : {fingerprints}][ ; trouvé : une attestation de type {attested}, qui n’approuve rien].',
    cause:
      '[{reason=none}Il n’y a pas de signature, ou la signature n’a pas été copiée avec le contenu.][{reason=untrusted}La signature vient d’une clé que trust.roots n’accepte pas pour ce livre de recettes.][{reason=malformed}Il y a une signature, mais elle est illisible.][{reason=no-roots}Cette instance n’a aucune racine de confiance pour ce livre de recettes : trust.roots est vide, une portée exclut toutes les racines, ou la clé d’une keyURL n’a jamais été récupérée.][ Ses listes de référents dépassent une limite ({limit}) et n’ont pas été lues en entier : une signature peut se trouver dans le reste.]',
    action:
      '[{reason=none}Faites signer par une clé reconnue, et copiez la signature avec le contenu.][{reason=untrusted}Vérifiez l’empreinte de la clé auprès de son détenteur par une autre voie. Si elle est juste, ajoutez la clé publique à trust.roots ; sinon, n’utilisez pas ce contenu.][{reason=malformed}Faites signer à nouveau par une clé reconnue.][{reason=no-roots}Ajoutez la clé publique du détenteur à trust.roots, après avoir vérifié son empreinte auprès de lui par une autre voie.][ Faites retirer des listes les entrées au-delà de {limit}, ou faites faire une signature classique, qui se passe de liste : svc recipe sign RECIPE --layout classic --key KEY.] Ne relâchez pas la confiance pour faire disparaître cette erreur.',
  },
  'SVC-SIG-002': {
    what: 'Le contenu de {reference} ne correspond pas à l’empreinte épinglée : attendu {expected}, trouvé {actual}.',
    cause: 'Le contenu a été abîmé pendant le transfert ou sur le disque, ou a été remplacé.',
    action:
      'N’utilisez pas ce contenu. Reprenez-le à l’origine ; si l’empreinte est encore fausse, considérez la source comme compromise et prévenez son responsable.',
  },
  'SVC-SIG-003': {
    what: 'L’artefact[ {reference}] n’est pas du type déclaré : attendu {expected}, trouvé {actual}.',
    cause:
      '[{problem=no-recipe}Cette commande signe des recettes publiées, et la référence désigne un autre contenu.][{problem!}Le type indiqué dans la recette est faux, ou un autre artefact a été publié sous cette référence.]',
    action:
      '[{problem=no-recipe}Indiquez la recette dont c’est un ingrédient : la signature d’une recette couvre chaque empreinte que la recette fige. Pour signer le contenu lui-même, utilisez cosign, avec une clé de cosign generate-key-pair : cosign sign --key cosign.key --use-signing-config=false --tlog-upload=false {reference}. svc lit aussi une telle clé ; cosign n’en lit aucune de svc key new NOM.][{problem!}Examinez la référence. Corrigez la recette, ou publiez le bon artefact.]',
  },
  'SVC-SGN-001': {
    what: 'La clé de signature {path} est inutilisable : {rule}.',
    cause:
      '[{problem!}Le fichier n’est pas une clé privée que ce programme accepte.][{problem=public}Une clé publique ou un certificat ne peut pas signer.][{problem=form}Un fichier de clé contient une clé privée en PEM, au format PKCS #8 (en clair ou chiffrée) ou telle que cosign l’écrit.][{problem=kind}Sont acceptés ECDSA sur P-256, P-384 et P-521, Ed25519, et RSA à partir de 2048 bits.][{problem=mode}D’autres utilisateurs de cette machine peuvent lire la clé ou la remplacer.][{problem=no-password}La clé est chiffrée, et aucun mot de passe n’a été donné.][{problem=password}Le mot de passe est faux, ou le fichier est endommagé.][{problem=cost}Le fichier demande une dérivation de clé inconnue, ou trop coûteuse en mémoire ou en temps ; un tel fichier peut être une attaque.]',
    action:
      '[{problem!}Corrigez le fichier, ou utilisez une autre clé.][{problem=public}Nommez le fichier de la clé privée, par exemple release.key.][{problem=form}Convertissez la clé : openssl pkcs8 -topk8 -v2 aes-256-cbc -in {path} -out new.key.][{problem=kind}Créez une clé avec svc key new NOM, et faites ajouter sa clé publique aux racines de confiance.][{problem=mode}Lancez chmod 600 {path}. Si d’autres ont pu la lire et qu’elle n’est pas chiffrée, remplacez la clé.][{problem=no-password}Donnez le mot de passe par --key-password-file, --password-stdin ou SVC_SIGNING_PASSWORD.][{problem=password}Donnez le bon mot de passe ; la première ligne d’un fichier ou de l’entrée standard compte, sans la fin de ligne.][{problem=cost}Si la clé est la vôtre, chiffrez-la de nouveau : openssl pkcs8 -topk8 -v2 aes-256-cbc.]',
  },
  'SVC-SGN-002': {
    what: 'La signature {path} n’a pas été attachée à {subject} : {rule}.',
    cause:
      'La signature porte sur d’autres octets ou vient d’une autre clé, les octets à signer ont été écrits pour une autre recette, ou l’étiquette nomme depuis un autre manifeste.',
    action:
      'Écrivez de nouveau les octets à signer avec svc recipe sign {subject} --payload-out FICHIER, signez exactement les octets de ce fichier, et nommez l’empreinte au lieu de l’étiquette dans les deux étapes.',
  },
  'SVC-DST-001': {
    what: 'La destination ne peut pas porter le nom {reference} : {limit}.',
    cause:
      'La relocalisation place l’hôte d’origine et les préfixes configurés devant le chemin, ce qui rend le nom plus long et plus profond.',
    action:
      'Raccourcissez destination.basePath ou storage.basePrefix, ou utilisez un registre qui accepte de tels noms.',
  },
  'SVC-DST-002': {
    what: 'La destination refuse {reference}, car ces plateformes manquent : {missing}.',
    cause:
      'Seules certaines plateformes ont été transportées, et ce registre exige tous les enfants d’un index ; les plateformes manquantes ne sont pas disponibles ici.',
    action:
      'Synchronisez toutes les plateformes à la source (sans platforms dans la recette), ou utilisez un registre qui accepte les index partiels.',
  },
  'SVC-DST-003': {
    what: 'La destination ne conserve pas {reference} sous son empreinte {digest}.',
    cause:
      'La recette épingle le contenu par un algorithme de hachage que ce registre ne prend pas en charge pour les manifestes ; les clients ne pourraient pas le télécharger par l’empreinte épinglée.',
    action:
      'Utilisez un registre qui prend en charge cet algorithme, par exemple svc ou zot, ou épinglez l’ingrédient par son empreinte sha256 dans la recette.',
  },
  'SVC-DST-004': {
    what: 'La destination refuse le manifeste {reference} de type {mediaType} : {detail}.',
    cause: 'Le registre n’accepte pas ce type de média, ou sa politique rejette le manifeste.',
    action:
      'Ne recommencez pas. Pour les types de Docker (application/vnd.docker.…), activez-les à la destination (zot : docker2s2 dans http.compat), utilisez un registre qui les accepte, ou épinglez une image construite avec les types OCI. Pour toute autre raison, consultez le journal du registre.',
  },
  'SVC-DST-005': {
    what: 'Les signatures sous {reference} à la destination ne peuvent pas être lues ou complétées[ : {rule}][ : la limite est {limit:size}].',
    cause:
      'Un autre client a écrit autre chose sous cette étiquette : une image, un manifeste trop grand ou une liste de 10 000 signatures. Les signatures classiques ont leur propre étiquette ; un registre sans API des référents énumère les bundles sous une autre. svc ne remplace pas le contenu d’autrui.',
    action:
      'Examinez l’étiquette à la destination avec un autre outil. Donnez une autre étiquette à son contenu et supprimez celle-ci, puis recommencez l’opération : les signatures du dépôt y sont poussées de nouveau. Pour une liste de bundles, il y a deux autres moyens : un registre qui a l’API des référents, ou une signature classique de la recette (svc recipe sign RECIPE --layout classic --key KEY). Les autres recettes ne sont pas concernées.',
  },
  'SVC-FIL-001': {
    what: '{path} ne peut pas être empaqueté : {rule}.',
    cause:
      'Le chemin n’est pas un dossier lisible, le dossier a changé pendant la lecture, ou le nom ou la version n’est pas valide.',
    action: 'Corrigez l’entrée et recommencez. Rien n’a été enregistré.',
  },
  'SVC-FIL-002': {
    what: 'Le dossier n’est pas sûr à empaqueter : {path} - {rule}.',
    cause:
      'Fichiers spéciaux, fichiers setuid, liens vers l’extérieur du dossier et noms réservés sont dangereux là où le FileSet est déballé.',
    action:
      'Empaquetez un autre dossier si {path} contient le magasin ou l’état. Sinon, supprimez ou remplacez {path}, puis recommencez.',
  },
  'SVC-FIL-003': {
    what: 'Le chemin {path} n’est pas autorisé.',
    cause:
      '[{layout=yes}Une disposition n’est jamais écrite ni lue dans le magasin, l’état, un dossier au-dessus d’eux, un fichier de configuration, un secret ou un dossier du système, et une instance en service n’en écrit jamais dans un dossier caché (dont le nom commence par un point) ; les liens symboliques sont d’abord résolus.|L’API n’accepte que les chemins situés sous files.packRoots, jamais le magasin, l’état, les secrets ou les dossiers du système ; les liens symboliques sont d’abord résolus.]',
    action:
      '[{layout=yes}Choisissez un chemin hors de ces dossiers.|Utilisez un dossier situé sous files.packRoots, ou lancez svc fileset pack DOSSIER NOM:VERSION sur cette machine.]',
  },
  'SVC-FIL-004': {
    what: 'Le FileSet {reference} n’est pas servi : {path} - {rule}.',
    cause:
      'Une couche de l’image est abîmée, n’est pas une archive tar, dépasse une limite, ou contient des chemins qui sortent de sa racine.',
    action:
      'Vérifiez comment l’image a été construite, ou empaquetez de nouveau le dossier avec svc fileset pack DOSSIER NOM:VERSION. Aucun fichier de ce FileSet n’est servi.',
  },
  'SVC-FIL-005': {
    what: '{path} est illisible[ ou ne peut être écrit : il n’y a pas de dossier {parent}].',
    cause:
      '[Le chemin comporte une faute, ou {parent} n’a pas été créé ou n’est pas monté.][{absent} n’existe pas.][{disk} n’existe pas : le disque n’y est pas monté, ou le chemin est faux.][{folder} est un dossier, pas un fichier.][{special} est un tube, un périphérique ou un socket, pas un fichier ordinaire.][Cet utilisateur n’a pas le droit de lire {denied}, ou d’entrer dans un dossier au-dessus.]',
    action:
      '[Créez le dossier {parent}, ou corrigez le chemin.][Corrigez le chemin, ou placez le fichier à {absent}.][Vérifiez que le disque est monté (findmnt) et que storage.root (--storage-root) est son dossier : {disk}.][Indiquez un fichier, pas le dossier {folder}.][Indiquez un fichier ordinaire, ou écrivez d’abord le contenu dans un fichier : {special}.][Donnez à cet utilisateur le droit de lire {denied}, ou changez d’utilisateur.]',
  },
  'SVC-FIL-006': {
    what: '{path} existe déjà[{kept!}, et n’a pas été créé par svc]. Rien n’a été écrit.',
    cause:
      '[{kept=yes}Cette commande ne remplace jamais un fichier.][{kept=folder}C’est un fichier, et un dossier est attendu ici.][{kept!}Un autre programme ou une personne a écrit ce fichier.]',
    action:
      '[{kept=yes}Choisissez un autre nom, ou déplacez le fichier.][{kept=folder}Indiquez un dossier, ou déplacez le fichier.][{kept!}Examinez le fichier. Pour le remplacer, relancez la commande avec --overwrite ; ou écrivez dans un autre dossier.]',
  },
  'SVC-FIL-007': {
    what: '{path} n’est pas écrit : {rule}. Rien n’a été écrit.',
    cause: 'Il y a un lien symbolique sur ce chemin, ou le chemin sort du dossier.',
    action: 'Examinez {path} et les dossiers parents. Supprimez le lien, ou écrivez dans un autre dossier.',
  },
  'SVC-FIL-008': {
    what: 'Le dépôt de paquets {path} ne tient pas (défauts : {count}). Rien n’a été enregistré.',
    cause:
      'Un fichier que nomme un index est absent, ou a une autre taille ou une autre empreinte, un index est illisible, un paquet est tronqué ou aucun index ne le nomme, ou une signature n’est pas de la clé voulue : {faults}.',
    action:
      'Copiez de nouveau les paquets endommagés ou tout le dépôt, ou refaites son index là où sont ses paquets et signez-le là ; puis empaquetez de nouveau.',
  },
  'SVC-FIL-009': {
    what: '{program} n’a produit ni index ni signature pour {path}[ : {detail}]. Rien n’a été enregistré.',
    cause:
      '[{absent=yes}Le programme {program} n’est pas installé, ou n’est pas dans PATH.][{problem=locked}La clé a une phrase secrète, et svc ne laisse pas gpg la demander.][{problem=no-key}Le trousseau de cet utilisateur n’a pas de clé secrète de cette empreinte.][{absent!}{problem!}Le programme a échoué : un paquet ou la clé est inutilisable ; une clé révoquée ou expirée ne signe rien.]',
    action:
      '[{absent=yes}Installez {program} (Debian : apt-utils, createrepo-c, gnupg), ou produisez l’index sur une autre machine.][{problem=locked}Déverrouillez la clé dans gpg-agent et relancez la commande : dans un terminal, gpg --local-user EMPREINTE --clearsign FICHIER demande la phrase secrète, et gpg-agent la garde quelques minutes. Ou lancez svc fileset pack DOSSIER NOM:VERSION --index SORTE sans --gpg-key : il produit l’index et affiche la ligne qui le signe.][{problem=no-key}Cherchez l’empreinte dans gpg --list-secret-keys, ou importez la clé. Ou lancez svc fileset pack DOSSIER NOM:VERSION --index SORTE sans --gpg-key : il produit l’index et affiche la ligne qui le signe là où se trouve la clé.][{absent!}{problem!}Corrigez ce que nomme le programme, et relancez la commande.]',
  },
  'SVC-CHT-001': {
    what: 'Le chart {chart} dépend de {dependency}, qui n’est ni inclus ni listé.',
    cause:
      'Le chart a été empaqueté sans ses dépendances ; elles ne peuvent pas être téléchargées dans une zone sans réseau.',
    action:
      'Empaquetez le chart avec ses dépendances (helm dependency update), ou listez {dependency} comme ingrédient.',
  },
  'SVC-CHT-002': {
    what: 'Le chart {chart} n’a pas été rendu[ : {detail}].',
    cause:
      '[{problem=absent}Aucun programme helm n’est dans PATH.][{problem=late}helm template n’a pas fini en 60 s.][{problem=memory}helm template a demandé plus de 1 Gio de mémoire : un modèle du chart est sans borne.][{problem=unlimited}La mémoire de helm n’a pas pu être limitée à 1 Gio : ulimit -d a échoué.][{problem!}helm template s’est terminé par une erreur : une valeur manque, ou le chart a besoin d’un cluster.]',
    action:
      '[{problem=absent}Installez helm 3, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem=late}Rendez le chart à la main, et donnez les manifestes avec --from.][{problem=memory}Examinez les modèles du chart, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem=unlimited}Lancez la commande là où ulimit -d peut être abaissé, ou retirez --render : l’annotation et les valeurs du chart sont alors lues.][{problem!}Donnez les valeurs manquantes avec --values, ou rendez le chart à la main et donnez les manifestes avec --from.] Rien n’a été écrit.',
  },
  'SVC-DRF-001': {
    what: 'Ces images n’ont pas d’étiquette : {images}. Rien n’a été écrit.',
    cause:
      'Les sources les nomment sans étiquette, ou par une empreinte qu’aucune étiquette du dépôt ne porte. Une recette note quelle version est voulue.',
    action: 'Relancez la commande, chacune avec une étiquette ou une contrainte à la place de TAG : {flags}.',
  },
  'SVC-DRF-002': {
    what: 'Il n’y a rien pour une recette dans {sources}[, seulement des propositions : {found}]. Rien n’a été écrit.',
    cause:
      '[{proposed=yes}Toutes les images trouvées sont nommées là où svc ne peut pas savoir si elles servent : ressources personnalisées, arguments, variables, textes de modèles, ou valeurs de parties désactivées.][{proposed=chart}Toutes les images trouvées sont dans des parties désactivées, dans des valeurs que d’autres complètent peut-être ou qu’aucun modèle n’utilise, ou dans le texte de modèles.][{proposed=no-tag}Les valeurs nomment les images sans étiquette, et le chart n’a pas d’appVersion qui en serait une.][{proposed!}Le fichier donné n’est pas le bon, ou les images sont nommées ailleurs : dans des valeurs, dans un autre fichier, ou par un programme en marche.]',
    action:
      '[{proposed=yes}Écrivez celles qu’il faut dans une liste, une par ligne, et donnez-la avec --from.][{proposed=chart}Laissez --render trouver ce que le chart utilise, ou donnez d’autres valeurs avec --values. Ou écrivez celles qu’il faut dans une liste, une par ligne, et donnez-la avec --from.][{proposed=no-tag}Donnez des valeurs avec les étiquettes (--values), ou définissez appVersion dans Chart.yaml.][{proposed!}Vérifiez la source. Un chart de cette machine devient un ingrédient avec --push-charts ; ses modèles sont rendus avec --render. --find-more propose ce qui ressemble à une image dans les arguments et variables.]',
  },
  'SVC-STO-001': {
    what: 'La lecture de {path} a échoué[ : {detail}].',
    cause:
      '[{problem=unmade}Rien n’y a encore été écrit, storage.root désigne un autre dossier, ou le disque n’est pas monté.][{problem=later}Une version ultérieure de svc a écrit ce fichier : ce programme est plus ancien.][{problem=denied}L’utilisateur qui exécute svc n’a pas le droit de lire {path}, ou d’entrer dans un dossier au-dessus.][{problem!}Le fichier manque, le volume a été démonté, le disque a une erreur, ou un autre programme a modifié le fichier.]',
    action:
      '[{problem=unmade}Démarrez l’instance avec svc serve, qui crée le magasin, et remplissez-le avec svc sync --wait ; svc import et svc fileset pack en créent un aussi. S’il devrait être là, vérifiez storage.root (--storage-root) et le montage.][{problem=later}Installez la version qui l’a écrit, ou restaurez la sauvegarde de l’état et du magasin faite avant la mise à jour. Le fichier n’a pas été modifié.][{problem=denied}Lancez la commande sous l’utilisateur à qui appartiennent le magasin et l’état (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire. Si c’est le bon utilisateur, donnez-lui les fichiers : sudo chown -R {user} {root}.][{problem!}Vérifiez le montage et le journal du noyau. Lancez ensuite svc store check avant toute écriture dans le magasin.]',
  },
  'SVC-STO-002': {
    what: 'L’écriture de {path} a échoué[ : {detail}]. Le contenu écrit auparavant est inchangé.',
    cause:
      '[{problem=denied}L’utilisateur qui exécute svc n’a pas le droit d’écrire {path}, ou d’entrer dans un dossier au-dessus.][{problem=denied-new}{user} n’a pas le droit d’écrire dans le dossier {folder}.][{problem=no-folder}Le dossier {folder} n’existe pas.][{problem=read-only}Le volume est monté en lecture seule.][{problem!}Le volume est plein, défaillant ou démonté, ou un dossier parent manque.]',
    action:
      '[{problem=denied}Lancez la commande sous l’utilisateur à qui appartient le dossier (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire, aussi pour les dossiers au-dessus. Si c’est le bon utilisateur, donnez-lui le dossier : sudo chown -R {user} {root}.][{problem=denied-new}Indiquez un chemin dans un dossier qui vous appartient, ou lancez la commande sous l’utilisateur à qui appartient le dossier (sudo -u <propriétaire> svc …) : ls -ld {folder} montre le propriétaire.][{problem=no-folder}Créez le dossier, ou corrigez le chemin : mkdir -p {folder}.][{problem=read-only}Montez-le en écriture, ou indiquez un dossier d’un autre volume, puis relancez la commande. Après une erreur de disque, le système met un volume en lecture seule : le journal du noyau le dit.][{problem!}Vérifiez le montage, l’espace libre et les dossiers du chemin, puis relancez la commande.]',
  },
  'SVC-STO-003': {
    what: 'Un téléchargement partiel n’a pas pu être conservé dans {path}[ : {detail}].',
    cause:
      '[{problem=denied}L’utilisateur qui exécute svc n’a pas le droit d’écrire {path}, ou d’entrer dans un dossier au-dessus.][{problem=read-only}Le volume de state.root est monté en lecture seule.][{problem!}Le volume de state.root est plein, défaillant ou démonté.]',
    action:
      '[{problem=denied}Lancez svc sous l’utilisateur à qui appartient state.root (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire, aussi pour les dossiers au-dessus. Si c’est le bon utilisateur, donnez-lui le dossier : sudo chown -R {user} suivi du chemin de state.root.][{problem=read-only}Montez-le en écriture, ou donnez à state.root un dossier d’un autre volume. Après une erreur de disque, le système met un volume en lecture seule : le journal du noyau le dit.][{problem!}Libérez de la place sur le volume de state.root, ou mettez transfer.resumeThreshold à 0 pour télécharger sans reprise.]',
  },
  'SVC-STO-004': {
    what: 'Il n’y a pas assez de place dans {path} : {needed:size} nécessaires, {usable:size} utilisables, il manque {shortfall:size}. Aucun contenu partiel n’a été conservé.',
    cause:
      '{free:size} sont libres[, dont {margin} % de marge de sécurité (preflight.safetyMarginPercent)][ ; {reserve:size} sont réservés aux journaux du magasin, aux comptes et aux suppressions].',
    action:
      'Libérez {shortfall:size} dans {path}, ou prenez un volume plus grand.[{place!} Dans un magasin, un élagage et moins de recettes dans le Retriever libèrent aussi de la place.][{place=state} C’est le volume de l’état, sur lequel un élagage ne libère rien : supprimez ce qu’il contient d’autre, comme des journaux, ou arrêtez l’instance, déplacez le dossier vers un volume plus grand, et réglez state.root.]',
  },
  'SVC-STO-005': {
    what: 'Un fichier de {size:size} est trop grand pour le système de fichiers de {path} ({filesystem}) ; sa limite est de {limit:size}.',
    cause:
      'Les systèmes FAT n’acceptent aucun fichier de 4 Gio ou plus, et limitent le nombre de fichiers par dossier. Un dossier ext4 sans l’option large_dir est plein avec quelque cinq millions et demi de blobs, quelle que soit leur taille.',
    action:
      'Formatez le support en exFAT, NTFS ou ext4, ou retirez de cette livraison l’ingrédient trop grand. Un magasin de millions de blobs demande XFS, ou ext4 avec large_dir.',
  },
  'SVC-STO-006': {
    what: 'La confirmation est fausse ; rien n’a été supprimé.',
    cause:
      'Vider un magasin est irréversible et exige le mot exact RESET, en capitales, dans toutes les langues.',
    action: 'Pour vider ce magasin, envoyez confirmation: RESET.',
  },
  'SVC-STO-007': {
    what: '{path} est utilisé par un autre processus[ : {holder}].',
    cause:
      'Une instance ou une commande utilise le même magasin ou le même état, exporte vers le même endroit, indexe le même dossier, ou a écrit sur le support pendant sa vérification.',
    action:
      'Attendez la fin de ce processus ou arrêtez-le, puis recommencez. Il n’y a pas de fichier verrou à supprimer : un verrou finit avec son processus.',
  },
  'SVC-STO-008': {
    what: 'Le magasin est au format {found} ; cette version de svc prend en charge {supported}.',
    cause: 'Le magasin a été créé par une autre version de svc, en général plus récente.',
    action:
      'Utilisez une version de svc qui prend en charge le format {found}. Le magasin n’a pas été modifié.',
  },
  'SVC-STO-009': {
    what: '{path} est abîmé[ : {detail}].',
    cause:
      'Disque, câble ou mémoire défaillants, copie incomplète, ou autre programme qui a modifié des fichiers du magasin.',
    action:
      'Lancez svc store check --quarantine, puis synchronisez ou poussez à nouveau : le contenu abîmé compte comme absent et sera retransféré. Vérifiez ensuite le disque. Les caches devant l’instance ont pu garder les octets abîmés : augmentez $svc_epoch dans leur nginx-cache.conf et rechargez nginx.',
  },
  'SVC-STO-010': {
    what: '{path} manque[ : {detail}], et du contenu du magasin y fait référence.',
    cause:
      'Le fichier a été supprimé par un autre programme, jamais copié, perdu par le système de fichiers, ou mis en quarantaine parce qu’il était abîmé.',
    action:
      'Synchronisez, importez ou poussez à nouveau ce contenu : seul le contenu manquant est transféré.',
  },
  'SVC-STO-011': {
    what: 'Les enregistrements du magasin dans {path} ne sont pas valides : {detail}.',
    cause: 'Le fichier a été abîmé ou perdu, ou un autre programme l’a modifié.',
    action:
      '[{mended!}Arrêtez l’instance et lancez svc store check --repair : chaque enregistrement vérifié et chaque manifeste du disque sont conservés, et les enregistrements perdus sont listés.][{mended=copy}Copiez à nouveau tous les fichiers depuis le magasin de la source : svc store check --repair ne corrige que le magasin de cette instance. Si le magasin est le vôtre, indiquez sa configuration ou son dossier d’état (--config, --state-root).][{mended=sync}svc store check --repair ne reconstruit pas ce fichier. Sur un support transporté, copiez à nouveau tous les fichiers depuis le magasin de la source. Dans le magasin de cette instance, arrêtez l’instance, supprimez index.json et media.jsonl, démarrez-la et lancez svc sync --wait : elle écrit les deux à nouveau.]',
  },
  'SVC-STO-012': {
    what: '[{leftovers!}{path} n’appartient pas à ce magasin : {detail}.][Blobs dans {path} que ni les journaux du magasin ni media.jsonl ne nomment : {leftovers} ({bytes:size}).]',
    cause:
      '[{leftovers!}Le fichier vient d’un autre programme ou d’une écriture interrompue. Il n’est jamais servi ni exporté.|Une copie antérieure dans ce dossier les a laissés : cp remplace des fichiers et n’en supprime aucun. Ils ne sont pas un dommage, et ne sont jamais servis ni importés.]',
    action:
      '[{leftovers!}Aucune action n’est nécessaire. Vous pouvez déplacer vos propres fichiers.|Aucune action n’est nécessaire. Pour supprimer de tels blobs, copiez à nouveau le magasin avec rsync -a --delete --exclude=/_svc, ou dans un dossier vide.]',
  },
  'SVC-STO-013': {
    what: '{path} n’est pas un magasin et contient d’autres fichiers : {found}.',
    cause:
      '[{state!}Le dossier sert à autre chose, est une disposition d’image OCI, ou est un magasin dont les journaux sont perdus.][{state=yes}Le dossier est le dossier d’état d’une instance : il contient des comptes et des clés, et pas de contenu.]',
    action:
      '[{state=yes}Donnez le dossier du magasin à storage.root (--storage-root), et celui-ci à state.root (--state-root). Rien n’a été modifié.][{state!}Indiquez un dossier vide ou qui n’existe pas encore. Importez une disposition avec svc import DISPOSITION. Reconstruisez les journaux d’un magasin avec svc store check --repair. Rien n’a été modifié.]',
  },
  'SVC-STO-014': {
    what: '{path} ne peut être lu ni écrit pour le moment[ ({detail})].',
    cause:
      'Le processus ou le système n’a plus de descripteurs de fichiers ou de mémoire, ou le périphérique ne répond pas. Aucun dommage n’a été constaté et aucun contenu n’a été retiré.',
    action:
      'Réessayez. Si l’erreur persiste, relevez la limite de fichiers ouverts (LimitNOFILE, ulimit -n), libérez de la mémoire, ou vérifiez le disque, son câble et le journal du noyau.',
  },
  'SVC-STO-015': {
    what: 'Le contenu de {repository} a changé depuis l’aperçu.',
    cause: 'Une synchronisation, une importation ou un envoi l’a modifié entre-temps. Rien n’a été supprimé.',
    action: 'Demandez de nouveau l’aperçu, vérifiez ce qu’il énumère, puis confirmez celui-là.',
  },
  'SVC-STO-016': {
    what: 'La recette {recipe} n’est pas complète dans le stockage : {reference} ne contient pas {digest}.',
    cause:
      'Un client de registre ou un administrateur a supprimé ou remplacé du contenu de la recette pendant sa synchronisation.',
    action: 'Synchronisez de nouveau : le contenu manquant est transféré à nouveau.',
  },
  'SVC-STO-017': {
    what: 'Aucun magasin n’est créé dans {path} : rien n’est monté sur {mount}.',
    cause:
      'Le fichier /etc/fstab désigne {mount} comme point de montage. Son disque n’est pas branché ou n’a pas été monté ; un magasin neuf et vide serait créé sur le volume sous-jacent.',
    action:
      'Montez le disque (mount {mount}) et réessayez. Si aucun disque n’y est prévu, retirez la ligne de /etc/fstab ou donnez un autre dossier à storage.root. Rien n’a été modifié.',
  },
  'SVC-STO-018': {
    what: 'La réinitialisation a vidé le magasin dans {path}, mais l’un de ses journaux n’a pas pu être écrit[ ({detail})].',
    cause:
      'Le disque est défaillant, plein, ou a refusé la modification entre les deux journaux. Le contenu écrit avant la réinitialisation a disparu, comme confirmé.',
    action:
      'Vérifiez le disque et le journal du noyau, puis redémarrez l’instance : l’ouverture du magasin achève la réinitialisation. Jusque-là, le magasin est en lecture seule.',
  },
  'SVC-STO-019': {
    what: 'Le disque de {path} n’est plus là[ : {detail}].',
    cause:
      'Le disque a été débranché ou démonté en cours d’utilisation, ou le dossier a été renommé ou remplacé. Aucun contenu endommagé n’a été constaté.',
    action:
      'Rebranchez le disque, montez-le au même endroit (findmnt -T {path}), puis relancez la même commande : ce qui a été transféré est conservé. Si une écriture a été interrompue sur FAT32 ou exFAT, lancez d’abord fsck. Une instance en marche reprend d’elle-même, ou après un redémarrage si /readyz ne redevient pas prêt.',
  },
  'SVC-STO-020': {
    what: 'Il n’y a pas de magasin dans {path}, et cette configuration n’en crée pas : [{state!}le disque n’est pas là][{state=yes}c’est un dossier d’état].',
    cause:
      '[{state!}La configuration est faite pour un disque transporté (storage.create: false). Le disque n’est pas branché ou n’est pas monté à cet endroit, ou storage.root désigne un autre dossier.][{state=yes}storage.root désigne le dossier d’état d’une instance, qui contient des comptes et des clés, et pas de contenu.]',
    action:
      '[{state=yes}Donnez le dossier du support à storage.root (--storage-root), et celui-ci à state.root (--state-root). Rien n’a été écrit.][{state!}Branchez le disque, montez-le (findmnt -T {path}), puis réessayez ; ou corrigez storage.root. Pour créer un magasin neuf à cet endroit, donnez à storage.create la valeur true. Rien n’a été écrit.]',
  },
  'SVC-MED-001': {
    what: 'Le support[ {mediaId}] n’a pas de manifeste : {path} manque[ dans {folder}].',
    cause:
      '[{found=empty}Le dossier est vide : le disque n’y est pas monté, ou le chemin est faux.][{found=nested}Le dossier n’est pas le support, mais à côté ou un niveau trop haut : le support est {nested}.][{found=incomplete}Le dossier n’est pas un support, la copie est incomplète, ou la synchronisation a été interrompue à la source.][{found=state}Le dossier est le dossier d’état d’une instance : il contient des comptes et des clés, et pas de contenu.]',
    action:
      '[{found=state}Donnez le dossier du support à storage.root (--storage-root), et celui-ci à state.root (--state-root).][{found=empty}Vérifiez que le disque est monté (findmnt) et que storage.root (--storage-root) est son dossier.][{found=nested}Donnez le dossier du support : --storage-root {nested}.][{found=incomplete}Vérifiez le chemin. S’il est juste, copiez à nouveau le support, ou terminez la synchronisation à la source.] Rien n’a été envoyé.',
  },
  'SVC-MED-002': {
    what: 'Le manifeste du support[ {mediaId}] est illisible : {path}[ ({detail})].',
    cause: 'Le fichier est abîmé, tronqué, ou modifié à la main.',
    action: 'Recopiez le support depuis la source. Rien de ce support n’est poussé.',
  },
  'SVC-MED-003': {
    what: 'Le support[ {mediaId}] a un manifeste au format {found} ; cette version de svc prend en charge {supported}.',
    cause: 'La source et cette zone utilisent des versions différentes de svc.',
    action: 'Mettez svc à jour dans cette zone vers une version qui prend en charge le format {found}.',
  },
  'SVC-MED-004': {
    what: 'Le magasin du support[ {mediaId}] est au format {found} ; cette version de svc prend en charge {supported}.',
    cause: 'La source et cette zone utilisent des versions différentes de svc.',
    action: 'Mettez svc à jour dans cette zone vers une version qui prend en charge le format {found}.',
  },
  'SVC-MED-005': {
    what: 'La liste des recettes du support[ {mediaId}] [{missing=yes}manque|a été altérée] : {path}[, attendu {expected}][, trouvé {actual}].',
    cause:
      '[{missing=yes}La copie du support est incomplète.|Les journaux du magasin sur le support ne correspondent pas aux recettes signées qu’il contient : ils ont été abîmés, par exemple pendant la copie, ou modifiés.]',
    action:
      '[{missing=yes}Recopiez entièrement le support depuis la source, puis vérifiez de nouveau.|N’utilisez pas ce support ; toutes ses recettes sont bloquées et aucune option n’y déroge. Recopiez-le depuis la source ; si le résultat est le même, refaites-y un support.]',
  },
  'SVC-MED-006': {
    what: 'Le support[ {mediaId}] est destiné à la zone {found}, et celle-ci est la zone {expected}.',
    cause: 'Des supports ont été échangés, ou le réglage zone diffère du nom du Retriever de cette zone.',
    action:
      'Utilisez le bon support. Un administrateur peut y déroger avec --allow-zone-mismatch ; les signatures restent vérifiées.',
  },
  'SVC-MED-007': {
    what: 'Le support[ {mediaId}] est plus ancien que le dernier importé pour la zone {zone} : résolu le {resolvedAt}, le dernier le {recordedAt}[ (support {recordedMediaId})].',
    cause:
      '[Le dernier support a été importé le {importedAt}, avant sa propre date : une horloge était fausse alors, et un support à la bonne date passe pour plus ancien jusqu’au {recordedAt}.|Ce support est antérieur, ou une horloge était fausse à la source. L’importer pourrait rétablir d’anciennes versions.]',
    action:
      'Utilisez un support à jour. Un administrateur qui veut l’état ancien[, ou qui sait que ce support a été fait après celui du {importedAt},] peut passer --allow-stale.',
  },
  'SVC-MED-010': {
    what: 'Un fichier manque sur le support[ {mediaId}] : {path}[, dont {recipe} a besoin].',
    cause: 'La copie est incomplète, ou le fichier a été perdu pendant le transport.',
    action: 'Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.',
  },
  'SVC-MED-011': {
    what: 'Un fichier du support[ {mediaId}] n’a pas la bonne taille : {path}[, {expected} octets attendus][, {actual} trouvés][ ; {recipe} en a besoin].',
    cause: 'La copie a été tronquée, des données ont été ajoutées, ou le disque est défaillant.',
    action: 'Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.',
  },
  'SVC-MED-012': {
    what: 'Un fichier du support[ {mediaId}] ne correspond pas à son empreinte : {path}[, attendu {expected}][, trouvé {actual}][ ; {recipe} en a besoin].',
    cause: 'Le fichier a été abîmé sur le disque ou pendant la copie, ou a été remplacé.',
    action:
      'Recopiez le support depuis la source. Si cela se reproduit, changez de disque et cherchez qui l’a manipulé.',
  },
  'SVC-MED-013': {
    what: '{path} est nécessaire, mais absent de l’inventaire du support[ {mediaId}][ ; {recipe} en a besoin].',
    cause: 'Le manifeste a été écrit avant l’ajout du fichier, ou a été modifié.',
    action: 'Menez une synchronisation à son terme à la source, puis recopiez le support.',
  },
  'SVC-MED-014': {
    what: 'Un fichier du support[ {mediaId}] est illisible : {path}[ ({detail})][ ; {recipe} en a besoin].',
    cause: 'Le disque a une erreur, ou le chemin n’est pas un fichier ordinaire.',
    action: 'Consultez le journal du noyau, et copiez le support sur un autre disque.',
  },
  'SVC-MED-015': {
    what: '{path}, sur le support[ {mediaId}], ne porte pas le nom de son empreinte[ ; {recipe} en a besoin].',
    cause: 'Le fichier a été ajouté à la main ou renommé par un outil.',
    action: 'Refaites un support à la source.',
  },
  'SVC-MED-020': {
    what: '{path} se trouve sur le support[ {mediaId}] mais pas dans son manifeste. Le fichier a été ignoré.',
    cause:
      '[{form!}{nested!}Les systèmes d’exploitation créent de tels fichiers ; le fichier peut aussi avoir été ajouté volontairement.][{form=blob}Le fichier porte le nom d’un blob. Une copie antérieure dans ce dossier laisse de tels fichiers : cp remplace des fichiers et n’en supprime aucun. Le fichier peut aussi avoir été ajouté volontairement.][{nested} est lui-même un support : une copie dans un dossier qui existait déjà (cp -r) arrive un niveau trop bas.]',
    action:
      '[{form!}{nested!}Aucune action n’est nécessaire : le fichier n’est jamais lu ni poussé. S’il est inattendu, cherchez d’où il vient.][{form=blob}Aucune action n’est nécessaire : le fichier n’est jamais servi ni importé, quel que soit son contenu. Pour supprimer de tels fichiers, copiez à nouveau le support avec rsync -a --delete --exclude=/_svc, ou dans un dossier vide.][Si c’est le support à vérifier ou à importer, indiquez son dossier : --storage-root {nested}. Seul le support qui l’entoure a été vérifié.]',
  },
  'SVC-MED-021': {
    what: '{path}, sur le support[ {mediaId}], ne fait partie d’aucune recette vérifiée. Il n’est pas poussé.',
    cause:
      'Le contenu a été ajouté par import unitaire ou poussé à la source, ou appartient à une recette bloquée.',
    action: 'Pour le transporter, listez-le dans une recette signée.',
  },
  'SVC-MED-022': {
    what: 'Les enregistrements du support[ {mediaId}] ne concordent pas : {path}[ ({detail})].',
    cause:
      'Un enregistrement a été abîmé, modifié ou copié incomplètement. Ces enregistrements ne sont pas signés, et aucune recette n’est acceptée à cause d’eux.',
    action: 'Le verdict de chaque recette reste juste. Recopiez le support, ou recréez-le à la source.',
  },
  'SVC-MED-023': {
    what: 'Le support[ {mediaId}] apporte {recipe} en version {version}, inférieure à {imported}, importée auparavant.',
    cause:
      'La source est revenue à une version antérieure, ou une ancienne livraison, dûment signée, est rejouée.',
    action:
      'Demandez à la source si c’est voulu. Ce n’est qu’un avertissement : la recette est poussée si elle est validée.',
  },
  'SVC-MED-024': {
    what: 'Le support[ {mediaId}] est daté du futur : résolu le {resolvedAt}, alors que l’horloge de cette machine indique {now}.',
    cause:
      'L’horloge de la source ou de cette machine se trompe de plus d’un jour, ou la date, qui n’est pas signée, a été modifiée.',
    action:
      'Réglez les horloges avant l’import. Il enregistre une date d’au plus 24 heures d’avance : jusque-là, les supports à la bonne date passent pour plus anciens et sont refusés (SVC-MED-007) ; un administrateur peut les importer avec --allow-stale.',
  },
  'SVC-MED-025': {
    what: 'Le support[ {mediaId}] ne liste aucune recette : rien n’a été vérifié et il n’y a rien à envoyer.',
    cause:
      'Le Retriever de la source ne nomme aucune recette, toutes ses recettes ont échoué à la dernière synchronisation, ou la liste a été tronquée.',
    action:
      'Consultez le journal des opérations du support (_svc/logs/operations.log, sauf si logging.media nomme un autre fichier) et synchronisez à la source jusqu’à ce que ses recettes soient complètes.',
  },
  'SVC-MED-030': {
    what: 'Le support[ {mediaId}] a été fait ailleurs : son contenu n’est pas servi avant sa vérification, ni modifié avant son adoption.',
    cause:
      'Ce magasin n’a pas été fait ici. Dans une zone, son contenu est servi une fois la vérification réussie. Le magasin n’est modifié qu’après être devenu celui de cette instance.',
    action:
      '[{change!}Pour lire le contenu, faites-le vérifier : une instance le fait à son démarrage et par POST /api/v1/media/verify, et svc export, svc client config, svc recipe mapping et svc content show le font avant de répondre. Pour le modifier, adoptez le magasin : lancez une synchronisation (svc sync), ou arrêtez l’instance et lancez svc store check --adopt.][{change=repair}svc store check --repair ne corrige que le magasin de cette instance. Pour retrouver le support, copiez à nouveau tous les fichiers depuis le magasin de la source. Pour en faire un magasin de cette instance, qu’aucune autre zone ne peut importer, ajoutez --adopt.]',
  },
  'SVC-MED-031': {
    what: 'Une vérification du support[ {mediaId}] est déjà en cours (étape : {stage}).',
    cause: 'Un support n’est vérifié qu’une fois à la fois.',
    action: 'Attendez son rapport : GET /api/v1/media/verification montre son avancement.',
  },
  'SVC-MED-032': {
    what: 'Le contenu du support[ {mediaId}] n’est pas disponible : il n’a pas passé la vérification.',
    cause:
      'La dernière vérification a bloqué le support ou les recettes auxquelles ce contenu appartient, ou un fichier de ces recettes a changé depuis.',
    action:
      'Lisez le rapport, qui liste chaque problème et son fichier : svc media verify l’affiche avec la configuration de la zone, et une instance en cours d’exécution l’a sous GET /api/v1/media/verification.',
  },
  'SVC-MED-033': {
    what: 'Le support[ {mediaId}] [{problem=away}est absent, car le dossier du magasin manque ou ne contient aucun support|a été remplacé ou modifié après son ouverture] : aucun contenu n’est servi avant qu’il soit rouvert et vérifié.',
    cause:
      '[{problem=away}Le disque a été démonté ou débranché, le dossier a été renommé, ou une copie vers ce dossier vient de commencer.][{problem!}Un autre disque a été monté, une livraison a été copiée dans le dossier, ou la copie est encore en cours.]',
    action:
      '[{problem=away}Branchez le disque et montez-le au même endroit. L’instance rouvre alors le support et le vérifie, sans redémarrage.][{problem!}Attendez : quand les fichiers ne changent plus, l’instance rouvre le support et le vérifie, sans redémarrage. GET /api/v1/media/verification, svc status et la page Support indiquent quand c’est fait. Si rien n’a été copié, cherchez quel processus écrit sur le support.]',
  },
  'SVC-LAY-001': {
    what: '{path} n’est pas une disposition d’images lisible[ : {detail}].',
    cause: 'Le chemin n’existe pas, n’est pas lisible, ou n’est pas une disposition d’images OCI.',
    action: 'Indiquez le dossier ou l’archive tar non compressée d’une disposition d’images OCI.',
  },
  'SVC-LAY-002': {
    what: 'La disposition entière est refusée : {path} - {rule}.',
    cause:
      'Une disposition se compose de oci-layout, index.json et blobs/, sans compression ; une disposition qui contient d’autres fichiers n’est pas importée.',
    action: 'Recréez la disposition sans les autres fichiers ; décompressez d’abord une archive.',
  },
  'SVC-LAY-003': {
    what: '{path} existe déjà et n’a pas été remplacé[ : {detail}].',
    cause: 'Un export précédent ou un autre fichier porte ce nom.',
    action:
      'Choisissez un autre chemin, ou passez --overwrite pour remplacer une disposition précédente ; rien d’autre n’est remplacé.',
  },
  'SVC-TSK-001': {
    what: 'La tâche {id} n’existe pas.',
    cause: 'L’identifiant est mal saisi, ou la tâche a été supprimée avec son journal (tasks.keepFinished).',
    action: 'Affichez les tâches de l’instance : svc task list, ou GET /api/v1/tasks.',
  },
  'SVC-TSK-002': {
    what: '[{actor!}La file est pleine : {limit} tâches attendent.][{actor} : {limit} tâches de ce compte attendent, autant qu’un compte peut en avoir.] Rien n’a été ajouté.',
    cause: 'Les tâches arrivent plus vite qu’elles ne finissent, ou l’une d’elles dure très longtemps.',
    action: 'Examinez la tâche en cours et annulez ce qui est inutile, puis recommencez plus tard.',
  },
  'SVC-TSK-003': {
    what: 'C’est impossible pendant qu’une tâche est en cours[ : {task}].',
    cause: 'La tâche utilise le contenu que cette requête modifierait.',
    action: 'Attendez la fin de la tâche, puis recommencez.',
  },
  'SVC-TSK-004': {
    what: 'La tâche a été annulée par {actor}.',
    cause:
      'La tâche a été arrêtée sur demande. Le contenu qu’elle a enregistré avant est complet et vérifié, et il est conservé.',
    action:
      'Relancez la tâche pour la reprendre : le contenu déjà enregistré n’est pas transféré de nouveau.',
  },
  'SVC-TSK-005': {
    what: 'La tâche {task} est déjà terminée.',
    cause: 'Seule une tâche en attente ou en cours peut être annulée.',
    action: 'Consultez son résultat dans la liste des tâches.',
  },
  'SVC-TSK-006': {
    what: 'La commande {command} s’est terminée avant d’avoir enregistré la fin de sa tâche.',
    cause:
      'Elle a été tuée, la machine a perdu son alimentation, ou le volume de l’état n’acceptait plus de données.',
    action: 'Relancez la commande : le contenu déjà stocké n’est pas transféré une seconde fois.',
  },
  'SVC-TSK-007': {
    what: 'La tâche {task} est exécutée par la commande {command}, et non par cette instance.',
    cause: 'Quelqu’un exécute la commande sur la machine qui a ce dossier d’état.',
    action: 'Interrompez-y la commande avec Ctrl-C, ou attendez qu’elle se termine.',
  },
  'SVC-SRV-001': {
    what: 'Erreur interne.',
    cause: 'C’est un défaut de svc ou de la machine sur laquelle il tourne.',
    action: 'Cherchez l’identifiant de corrélation dans le journal, et signalez le défaut avec ces lignes.',
  },
  'SVC-SRV-002': {
    what: '{path} est introuvable.',
    cause:
      '[{lacks!}L’adresse est mal saisie, ou appartient à une autre version de l’API.][{lacks=file}{name} n’a pas ce fichier. Les dossiers ne sont pas listés.][{lacks=folder}C’est l’adresse d’un dossier de {name}, et les dossiers ne sont pas listés.][{lacks=fileset}Aucun FileSet ni aucune vue de ce nom n’est servi ici.]',
    action:
      '[{lacks!}Voyez GET /api/v1/openapi.yaml pour l’API de cette instance.][{lacks=file}Comparez l’adresse avec ce que svc client config affiche pour ce client. Son premier fichier est dists/SUITE/Release ou Release pour apt, repodata/repomd.xml pour dnf, et index.yaml pour helm.][{lacks=folder}Demandez un fichier : pour apt dists/SUITE/Release ou Release, pour dnf repodata/repomd.xml, pour helm index.yaml.][{lacks=fileset}Cherchez le nom dans GET /api/v1/filesets : c’est celui de files.filesets ou de files.views.]',
  },
  'SVC-SRV-003': {
    what: '{instance} n’a pas pu être joint ou n’est pas une instance de svc[ : {detail}][ ; l’adresse est celle de {variable}][ ; l’issue de la tâche {task} n’est pas connue].',
    cause:
      'L’instance ne tourne pas, écoute à une autre adresse, son certificat n’est pas reconnu, ou un autre service répond à cette adresse.',
    action:
      '[Démarrez l’instance de cette configuration : {start}. ]Vérifiez que l’instance tourne (GET /readyz) et que l’adresse est juste : --instance, SVC_INSTANCE_URL ou server.addr. Ajoutez une autorité privée ou un certificat à network.tls.caFiles.[ Une instance redémarrée reprend ses tâches : GET /api/v1/tasks/{task} montre celle-ci.]',
  },
  'SVC-SRV-004': {
    what: 'La méthode {method} n’est pas autorisée ici ; méthodes autorisées : {allow}.',
    cause: 'Le client est écrit pour une autre API, ou utilise une mauvaise adresse.',
    action: 'Utilisez l’une de {allow} ; voyez GET /api/v1/openapi.yaml.',
  },
  'SVC-SRV-005': {
    what: 'Le type du corps de la requête n’est pas celui attendu[ : {contentType}].',
    cause: 'L’en-tête Content-Type manque ou nomme un autre type, ou un formulaire s’interrompt.',
    action: 'Envoyez du JSON à l’API avec Content-Type: application/json, et un formulaire depuis sa page.',
  },
  'SVC-SRV-006': {
    what: 'L’instance ne peut pas traiter cette requête maintenant.',
    cause:
      '[{reason=stopping}L’instance s’arrête : elle termine ce qui est en cours et n’accepte rien de nouveau.][{reason!}Trop de connexions attendent, un FileSet est indexé pour sa première requête, d’autres plans sont en cours d’établissement, d’autres artefacts sont en cours d’examen, d’autres recettes sont en train d’être figées ou comparées, d’autres requêtes volumineuses sont en cours de réception, ou ce travail a duré plus de 5 minutes.]',
    action:
      '[{reason=stopping}Recommencez quand l’instance aura redémarré.][{reason!}Recommencez dans quelques secondes.]',
  },
  'SVC-SRV-007': {
    what: 'Ce qui a été montré de {subject} avant la confirmation n’est plus vrai.',
    cause:
      'L’état a changé entre-temps, ou la confirmation ne nomme aucun aperçu. Rien n’a été supprimé ni remplacé.',
    action: 'Regardez ce qui est montré maintenant, puis confirmez cela.',
  },
  'SVC-SRV-008': {
    what: 'Les mots de passe ne peuvent être ni hachés ni vérifiés : il n’y a aucun dossier d’où du code peut être chargé.',
    cause:
      'Le fichier unique charge son hachage des mots de passe depuis un fichier temporaire. Aucun des dossiers TMPDIR, XDG_RUNTIME_DIR, /dev/shm et /var/tmp n’est à la fois accessible en écriture pour cet utilisateur et monté sans noexec.',
    action:
      'Donnez à TMPDIR un dossier où cet utilisateur peut écrire et qui est monté sans noexec (findmnt affiche les options), puis redémarrez svc. Dans un conteneur : --tmpfs /tmp:exec.',
  },
};

/** For an error whose code this version does not know. */
export const unknownFr = {
  what: 'Cette version n’a pas de description de cette erreur[ ({params})].',
  cause: 'Une version plus récente a signalé l’erreur.',
  action: 'Consultez docs/errors.md de la version plus récente, ou /help de l’instance.',
} as const;
