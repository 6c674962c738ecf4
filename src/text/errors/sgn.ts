import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of signing keys. */
export const sgnErrors = {
  'SVC-SGN-001': {
    class: 'failure',
    status: 422,
    params: { path: 'name', rule: 'rule', 'problem?': 'name' },
    what: [
      'The signing key {path} cannot be used: {rule}.',
      fr`La clé de signature {path} est inutilisable : {rule}.`,
    ],
    cause: [
      '[{problem!}The file is not a private key that this program accepts.][{problem=public}A public key or a certificate cannot sign.][{problem=form}A key file holds one private key in PEM, as PKCS #8 (plain or encrypted) or as cosign writes it.][{problem=kind}Accepted are ECDSA on P-256, P-384 and P-521, Ed25519, and RSA from 2048 bits.][{problem=mode}Other users of this machine may read the key or replace it.][{problem=no-password}The key is encrypted, and no password was given.][{problem=no-password-file}The key is encrypted, and no password file is configured.][{problem=password}The password is wrong, or the file is damaged.][{problem=cost}The file asks for a key derivation that is not known, or that takes too much memory or time; such a file can be an attack.]',
      fr`[{problem!}Le fichier n’est pas une clé privée que ce programme accepte.][{problem=public}Une clé publique ou un certificat ne peut pas signer.][{problem=form}Un fichier de clé contient une clé privée en PEM, au format PKCS #8 (en clair ou chiffrée) ou telle que cosign l’écrit.][{problem=kind}Sont acceptés ECDSA sur P-256, P-384 et P-521, Ed25519, et RSA à partir de 2048 bits.][{problem=mode}D’autres utilisateurs de cette machine peuvent lire la clé ou la remplacer.][{problem=no-password}La clé est chiffrée, et aucun mot de passe n’a été donné.][{problem=no-password-file}La clé est chiffrée, et aucun fichier de mot de passe n’est configuré.][{problem=password}Le mot de passe est faux, ou le fichier est endommagé.][{problem=cost}Le fichier demande une dérivation de clé inconnue, ou trop coûteuse en mémoire ou en temps ; un tel fichier peut être une attaque.]`,
    ],
    action: [
      '[{problem!}Correct the file, or use another key.][{problem=public}Name the file of the private key, such as release.key.][{problem=form}Convert the key: openssl pkcs8 -topk8 -v2 aes-256-cbc -in {path} -out new.key.][{problem=kind}Make a new key with svc key new NAME, and have its public key added to the trust roots.][{problem=mode}Run chmod 600 {path}. If others could read it and it is not encrypted, replace the key.][{problem=no-password}Give the password with --key-password-file, --password-stdin or SVC_SIGNING_PASSWORD.][{problem=no-password-file}Set signing.passwordFile to a file with the password of the key.][{problem=password}Give the right password; the first line of a file or of stdin counts, without the end of the line.][{problem=cost}If the key is your own, encrypt it again: openssl pkcs8 -topk8 -v2 aes-256-cbc.]',
      fr`[{problem!}Corrigez le fichier, ou utilisez une autre clé.][{problem=public}Nommez le fichier de la clé privée, par exemple release.key.][{problem=form}Convertissez la clé : openssl pkcs8 -topk8 -v2 aes-256-cbc -in {path} -out new.key.][{problem=kind}Créez une clé avec svc key new NOM, et faites ajouter sa clé publique aux racines de confiance.][{problem=mode}Lancez chmod 600 {path}. Si d’autres ont pu la lire et qu’elle n’est pas chiffrée, remplacez la clé.][{problem=no-password}Donnez le mot de passe par --key-password-file, --password-stdin ou SVC_SIGNING_PASSWORD.][{problem=no-password-file}Réglez signing.passwordFile sur un fichier avec le mot de passe de la clé.][{problem=password}Donnez le bon mot de passe ; la première ligne d’un fichier ou de l’entrée standard compte, sans la fin de ligne.][{problem=cost}Si la clé est la vôtre, chiffrez-la de nouveau : openssl pkcs8 -topk8 -v2 aes-256-cbc.]`,
    ],
  },
  'SVC-SGN-002': {
    class: 'verification',
    status: 422,
    params: { path: 'name', rule: 'rule', subject: 'name' },
    what: [
      'The signature {path} was not attached to {subject}: {rule}.',
      fr`La signature {path} n’a pas été attachée à {subject} : {rule}.`,
    ],
    cause: [
      'The signature was made over other bytes or with another key, the payload was made for another recipe, or the tag names another manifest since.',
      fr`La signature porte sur d’autres octets ou vient d’une autre clé, les octets à signer ont été écrits pour une autre recette, ou l’étiquette nomme depuis un autre manifeste.`,
    ],
    action: [
      'Write the payload again with svc recipe sign {subject} --payload-out FILE, sign exactly the bytes of that file, and name the digest instead of the tag in both steps.',
      fr`Écrivez de nouveau les octets à signer avec svc recipe sign {subject} --payload-out FICHIER, signez exactement les octets de ce fichier, et nommez l’empreinte au lieu de l’étiquette dans les deux étapes.`,
    ],
  },
} as const satisfies Family;
