import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of signatures and digests. */
export const sigErrors = {
  'SVC-SIG-001': {
    class: 'verification',
    status: 422,
    params: {
      subject: 'name',
      reason: 'name',
      'fingerprints?': 'name',
      'attested?': 'name',
      'limit?': 'text',
    },
    what: [
      '{subject} [{reason!}carries no acceptable signature][{reason=none}carries no signature][{reason=untrusted}is signed with a key that is not trusted here][{reason=malformed}carries a signature that cannot be read][{reason=no-roots}cannot be verified: there is no trust root for it here][ (key {fingerprints})].[ Found: an attestation of type {attested}, which approves nothing.]',
      fr`{subject} [{reason!}ne porte aucune signature acceptable][{reason=none}ne porte aucune signature][{reason=untrusted}est signé par une clé qui n’est pas reconnue ici][{reason=malformed}porte une signature illisible][{reason=no-roots}ne peut être vérifié : aucune racine de confiance ne s’y applique ici][ (clé {fingerprints})].[ Trouvé : une attestation de type {attested}, qui n’approuve rien.]`,
    ],
    cause: [
      '[{reason=none}There is no signature, or the signature was not copied with the content.][{reason=untrusted}It was signed with a key that trust.roots does not accept for its cookbook.][{reason=malformed}There is a signature, but it cannot be read.][{reason=no-roots}This instance has no trust root for its cookbook: trust.roots is empty, a scope excludes every root, or the key of a keyURL was never fetched.][ Its lists of referrers exceed a limit ({limit}), and were not read whole: a signature may be in the rest.]',
      fr`[{reason=none}Il n’y a pas de signature, ou la signature n’a pas été copiée avec le contenu.][{reason=untrusted}La signature vient d’une clé que trust.roots n’accepte pas pour ce livre de recettes.][{reason=malformed}Il y a une signature, mais elle est illisible.][{reason=no-roots}Cette instance n’a aucune racine de confiance pour ce livre de recettes : trust.roots est vide, une portée exclut toutes les racines, ou la clé d’une keyURL n’a jamais été récupérée.][ Ses listes de référents dépassent une limite ({limit}) et n’ont pas été lues en entier : une signature peut se trouver dans le reste.]`,
    ],
    action: [
      '[{reason=none}Have it signed by a trusted key, and copy the signature with the content.][{reason=untrusted}Confirm the fingerprint of the key with its owner over another channel. If it is right, add the public key to trust.roots; if not, do not use this content.][{reason=malformed}Have it signed again by a trusted key.][{reason=no-roots}Add the public key of the owner to trust.roots, after confirming its fingerprint with the owner over another channel.][ Have entries beyond {limit} removed from the lists, or have a classic signature made, which needs no list: svc recipe sign RECIPE --layout classic --key KEY.] Do not relax trust to make this error go away.',
      fr`[{reason=none}Faites signer par une clé reconnue, et copiez la signature avec le contenu.][{reason=untrusted}Vérifiez l’empreinte de la clé auprès de son détenteur par une autre voie. Si elle est juste, ajoutez la clé publique à trust.roots ; sinon, n’utilisez pas ce contenu.][{reason=malformed}Faites signer à nouveau par une clé reconnue.][{reason=no-roots}Ajoutez la clé publique du détenteur à trust.roots, après avoir vérifié son empreinte auprès de lui par une autre voie.][ Faites retirer des listes les entrées au-delà de {limit}, ou faites faire une signature classique, qui se passe de liste : svc recipe sign RECIPE --layout classic --key KEY.] Ne relâchez pas la confiance pour faire disparaître cette erreur.`,
    ],
  },
  'SVC-SIG-002': {
    class: 'verification',
    status: 422,
    params: { reference: 'name', expected: 'text', actual: 'text' },
    what: [
      'The content of {reference} does not match its pinned digest: expected {expected}, found {actual}.',
      fr`Le contenu de {reference} ne correspond pas à l’empreinte épinglée : attendu {expected}, trouvé {actual}.`,
    ],
    cause: [
      'The content was damaged in transfer or on disk, or was replaced.',
      fr`Le contenu a été abîmé pendant le transfert ou sur le disque, ou a été remplacé.`,
    ],
    action: [
      'Do not use this content. Fetch it again from the origin; if the digest is wrong again, treat the source as compromised and tell its operator.',
      fr`N’utilisez pas ce contenu. Reprenez-le à l’origine ; si l’empreinte est encore fausse, considérez la source comme compromise et prévenez son responsable.`,
    ],
  },
  'SVC-SIG-003': {
    class: 'verification',
    status: 422,
    params: { expected: 'text', actual: 'text', 'reference?': 'name', 'problem?': 'name' },
    what: [
      'The artifact[ {reference}] is not of the declared type: expected {expected}, found {actual}.',
      fr`L’artefact[ {reference}] n’est pas du type déclaré : attendu {expected}, trouvé {actual}.`,
    ],
    cause: [
      '[{problem=no-recipe}This command signs published recipes, and the reference names other content.][{problem!}The type in the recipe is wrong, or another artifact was published under this reference.]',
      fr`[{problem=no-recipe}Cette commande signe des recettes publiées, et la référence désigne un autre contenu.][{problem!}Le type indiqué dans la recette est faux, ou un autre artefact a été publié sous cette référence.]`,
    ],
    action: [
      '[{problem=no-recipe}Name the recipe that has it as an ingredient: the signature of a recipe covers every digest that the recipe pins. To sign the content itself, use cosign, with a key of cosign generate-key-pair: cosign sign --key cosign.key --use-signing-config=false --tlog-upload=false {reference}. svc reads such a key too; cosign reads none of svc key new NAME.][{problem!}Inspect the reference. Correct the recipe, or publish the right artifact.]',
      fr`[{problem=no-recipe}Indiquez la recette dont c’est un ingrédient : la signature d’une recette couvre chaque empreinte que la recette fige. Pour signer le contenu lui-même, utilisez cosign, avec une clé de cosign generate-key-pair : cosign sign --key cosign.key --use-signing-config=false --tlog-upload=false {reference}. svc lit aussi une telle clé ; cosign n’en lit aucune de svc key new NOM.][{problem!}Examinez la référence. Corrigez la recette, ou publiez le bon artefact.]`,
    ],
  },
} as const satisfies Family;
