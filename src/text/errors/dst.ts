import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of destinations. */
export const dstErrors = {
  'SVC-DST-001': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', limit: 'text' },
    what: [
      'The destination cannot hold the name {reference}: {limit}.',
      fr`La destination ne peut pas porter le nom {reference} : {limit}.`,
    ],
    cause: [
      'Relocation prepends the origin host and the configured prefixes to the path, which makes the name longer and deeper.',
      fr`La relocalisation place l’hôte d’origine et les préfixes configurés devant le chemin, ce qui rend le nom plus long et plus profond.`,
    ],
    action: [
      'Shorten destination.basePath or storage.basePrefix, or use a registry that accepts such names.',
      fr`Raccourcissez destination.basePath ou storage.basePrefix, ou utilisez un registre qui accepte de tels noms.`,
    ],
  },
  'SVC-DST-002': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', missing: 'name' },
    what: [
      'The destination refuses {reference} because these platforms are absent: {missing}.',
      fr`La destination refuse {reference}, car ces plateformes manquent : {missing}.`,
    ],
    cause: [
      'Only some platforms were transferred, and this registry requires every child of an index; the missing platforms are not available here.',
      fr`Seules certaines plateformes ont été transportées, et ce registre exige tous les enfants d’un index ; les plateformes manquantes ne sont pas disponibles ici.`,
    ],
    action: [
      'Synchronize all platforms at the source (remove platforms from the recipe), or use a registry that accepts sparse indexes.',
      fr`Synchronisez toutes les plateformes à la source (sans platforms dans la recette), ou utilisez un registre qui accepte les index partiels.`,
    ],
  },
  'SVC-DST-003': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', digest: 'name' },
    what: [
      'The destination does not keep {reference} under its digest {digest}.',
      fr`La destination ne conserve pas {reference} sous son empreinte {digest}.`,
    ],
    cause: [
      'The recipe pins the content with a hash algorithm that this registry does not support for manifests; clients could not pull the content by the pinned digest.',
      fr`La recette épingle le contenu par un algorithme de hachage que ce registre ne prend pas en charge pour les manifestes ; les clients ne pourraient pas le télécharger par l’empreinte épinglée.`,
    ],
    action: [
      'Use a registry that supports this algorithm, such as svc or zot, or pin the ingredient by its sha256 digest in the recipe.',
      fr`Utilisez un registre qui prend en charge cet algorithme, par exemple svc ou zot, ou épinglez l’ingrédient par son empreinte sha256 dans la recette.`,
    ],
  },
  'SVC-DST-004': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', mediaType: 'name', detail: 'text' },
    what: [
      'The destination refuses the manifest {reference} of media type {mediaType}: {detail}.',
      fr`La destination refuse le manifeste {reference} de type {mediaType} : {detail}.`,
    ],
    cause: [
      'The registry does not accept this media type, or its policy rejects the manifest.',
      fr`Le registre n’accepte pas ce type de média, ou sa politique rejette le manifeste.`,
    ],
    action: [
      'Do not repeat. For Docker media types (application/vnd.docker.…), enable them at the destination (zot: list docker2s2 in http.compat), use a registry that accepts them, or pin an image that was built with OCI media types. For other reasons, see the log of the registry.',
      fr`Ne recommencez pas. Pour les types de Docker (application/vnd.docker.…), activez-les à la destination (zot : docker2s2 dans http.compat), utilisez un registre qui les accepte, ou épinglez une image construite avec les types OCI. Pour toute autre raison, consultez le journal du registre.`,
    ],
  },
  'SVC-DST-005': {
    class: 'failure',
    status: 422,
    params: { reference: 'name', 'rule?': 'rule', 'limit?': 'text' },
    what: [
      'The signatures under {reference} at the destination cannot be read or extended[: {rule}][: the limit is {limit:size}].',
      fr`Les signatures sous {reference} à la destination ne peuvent pas être lues ou complétées[ : {rule}][ : la limite est {limit:size}].`,
    ],
    cause: [
      'Another client wrote something else under this tag: an image, a manifest that is too large, or a list of 10 000 signatures. Classic signatures are under their own tag; a registry without the referrers API lists bundles under another one. svc does not replace the content of others.',
      fr`Un autre client a écrit autre chose sous cette étiquette : une image, un manifeste trop grand ou une liste de 10 000 signatures. Les signatures classiques ont leur propre étiquette ; un registre sans API des référents énumère les bundles sous une autre. svc ne remplace pas le contenu d’autrui.`,
    ],
    action: [
      'Look at the tag at the destination with another tool. Give its content another tag and delete this one, then repeat the operation: the signatures in the store are pushed again. For a list of bundles there are two other ways: a registry with the referrers API, or a classic signature of the recipe (svc recipe sign RECIPE --layout classic --key KEY). Other recipes are not affected.',
      fr`Examinez l’étiquette à la destination avec un autre outil. Donnez une autre étiquette à son contenu et supprimez celle-ci, puis recommencez l’opération : les signatures du dépôt y sont poussées de nouveau. Pour une liste de bundles, il y a deux autres moyens : un registre qui a l’API des référents, ou une signature classique de la recette (svc recipe sign RECIPE --layout classic --key KEY). Les autres recettes ne sont pas concernées.`,
    ],
  },
} as const satisfies Family;
