import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of policy. */
export const polErrors = {
  'SVC-POL-001': {
    class: 'policy',
    status: 403,
    params: { host: 'name', 'hop?': 'text', 'reason?': 'text' },
    what: [
      '[{host} was not contacted (reason: {reason})|The host {host} is not on the allowlist, so no connection was opened][ (named by: {hop})].',
      fr`[{host} n’a pas été contacté (raison : {reason})|L’hôte {host} n’est pas dans la liste autorisée, aucune connexion n’a été ouverte][ (nommé par : {hop})].`,
    ],
    cause: [
      '[The address breaks a rule for connections: {reason}. scheme: the URL is neither http nor https. user-information: the URL contains a user name or password. https-only: only https is allowed here. downgrade: an https host redirected to plain http. plain-http: the host is not in registries.insecure. inner-address: a public host redirected to a private address. secret: a secret would have been sent to another host. other-origin: the next page of a list is on another host.|registries.allowlist lists every host that may be contacted, including those of redirects and token services.]',
      fr`[L’adresse enfreint une règle des connexions : {reason}. scheme : elle n’est ni http ni https. user-information : elle contient un nom ou un mot de passe. https-only : seul https est admis ici. downgrade : un hôte https a redirigé vers http simple. plain-http : l’hôte n’est pas dans registries.insecure. inner-address : un hôte public a redirigé vers une adresse privée. secret : un secret aurait été envoyé à un autre hôte. other-origin : la page suivante d’une liste est sur un autre hôte.|registries.allowlist nomme chaque hôte qui peut être contacté, y compris ceux des redirections et des services de jetons.]`,
    ],
    action: [
      '[The allowlist has no effect on this rule ({reason}): correct the address where it is configured, or ask the operator of the host that returned it to do so. Add a host that only serves plain HTTP to registries.insecure.|If this host is to be contacted, add {host} to registries.allowlist and restart. If not, find the document or registry that names it.]',
      fr`[La liste autorisée est sans effet sur cette règle ({reason}) : corrigez l’adresse là où elle est configurée, ou faites-la corriger par le responsable de l’hôte qui l’a renvoyée. Ajoutez à registries.insecure un hôte qui ne sert que HTTP simple.|Si cet hôte doit être contacté, ajoutez {host} à registries.allowlist et redémarrez. Sinon, cherchez le document ou le registre qui le nomme.]`,
    ],
  },
  'SVC-POL-002': {
    class: 'policy',
    status: 403,
    params: { repository: 'name', recipes: 'name' },
    what: [
      '{repository} is managed by recipes ({recipes}) and was not changed.',
      fr`{repository} est géré par des recettes ({recipes}) et n’a pas été modifié.`,
    ],
    cause: [
      'Content of a recipe is changed only through its recipe; a manual change would make the zone differ from the signed recipe.',
      fr`Le contenu d’une recette ne change que par sa recette ; une modification manuelle écarterait la zone de ce qui a été signé.`,
    ],
    action: [
      'Remove the content from the recipe, or the recipe from the Retriever, then run svc sync --prune.',
      fr`Retirez le contenu de la recette, ou la recette du Retriever, puis lancez svc sync --prune.`,
    ],
  },
  'SVC-POL-003': {
    class: 'policy',
    status: 403,
    params: { repository: 'name' },
    what: [
      '{repository} was pushed by a registry client and cannot be deleted by this request.',
      fr`{repository} a été poussé par un client de registre et ne peut pas être supprimé par cette requête.`,
    ],
    cause: [
      'This request deletes only content that was added by unit import.',
      fr`Cette requête ne supprime que le contenu ajouté par import unitaire.`,
    ],
    action: [
      'Delete its tags or manifests through the registry interface under /v2/.',
      fr`Supprimez ses étiquettes ou manifestes par l’interface de registre sous /v2/.`,
    ],
  },
  'SVC-POL-004': {
    class: 'policy',
    status: 409,
    params: {
      reference: 'name',
      published: 'name',
      'document?': 'name',
      candidate: 'name',
      'content?': 'name',
    },
    what: [
      '{reference} is already published with other content: published digest {published}[ (document {document})], digest of this [{content=chart}chart][{content=fileset}FileSet][{content!}document] {candidate}.',
      fr`{reference} est déjà publié avec un autre contenu : empreinte publiée {published}[ (document {document})], empreinte de ce [{content=chart}chart][{content=fileset}FileSet][{content!}document] {candidate}.`,
    ],
    cause: [
      '[{content=chart}The registry has another chart of this name and version: the chart was edited, or packed from other files.][{content=fileset}The registry has another FileSet under this version: the folder was changed since, or another one was packed.][{content!}A published recipe version is immutable, and another document was published under this name and version.]',
      fr`[{content=chart}Le registre a un autre chart de ce nom et de cette version : le chart a été modifié, ou empaqueté à partir d’autres fichiers.][{content=fileset}Le registre a un autre FileSet sous cette version : le dossier a changé depuis, ou un autre dossier a été empaqueté.][{content!}Une version publiée est immuable, et un autre document a été publié sous ce nom et cette version.]`,
    ],
    action: [
      '[{content=chart}Raise version in Chart.yaml and push the chart again, or push it below another repository.][{content=fileset}Pack and push the folder under another version; svc recipe init takes it from --tag NAME=VERSION. The same folder under the same version always succeeds.][{content!}Raise the version of the recipe and publish again. Publishing an identical document always succeeds. If the published version was deleted, an administrator can delete the repository to release its tags.]',
      fr`[{content=chart}Augmentez version dans Chart.yaml et poussez le chart de nouveau, ou poussez-le sous un autre dépôt.][{content=fileset}Empaquetez et poussez le dossier sous une autre version ; svc recipe init la prend de --tag NOM=VERSION. Le même dossier sous la même version est toujours accepté.][{content!}Augmentez la version de la recette et publiez de nouveau. Publier un document identique réussit toujours. Si la version publiée a été supprimée, un administrateur peut supprimer le dépôt pour libérer ses étiquettes.]`,
    ],
  },
  'SVC-POL-005': {
    class: 'policy',
    status: 403,
    params: { reference: 'name' },
    what: [
      '{reference} was packed on this instance and was not changed.',
      fr`{reference} a été empaqueté sur cette instance et n’a pas été modifié.`,
    ],
    cause: [
      'An administrator packed this FileSet; recipes, registry clients and imports cannot replace or delete a packed FileSet.',
      fr`Un administrateur a empaqueté ce FileSet ; ni les recettes, ni les clients de registre, ni les imports ne peuvent remplacer ou supprimer un FileSet empaqueté.`,
    ],
    action: [
      'Push under another tag, or ask an administrator to pack the version again or to delete the repository.',
      fr`Poussez sous une autre étiquette, ou demandez à un administrateur d’empaqueter à nouveau la version ou de supprimer le dépôt.`,
    ],
  },
} as const satisfies Family;
