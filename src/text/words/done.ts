import { fr } from '../language.ts';

/** Result of an action, shown on the page that it leads to. */
export const done = {
  accountCreated: [
    'The account {name} was created with the role {role}.',
    fr`Le compte {name} a été créé avec le rôle {role}.`,
  ],
  accountChanged: [
    'The account {name} was changed. Its sessions have ended.',
    fr`Le compte {name} a été modifié. Ses sessions sont terminées.`,
  ],
  accountDeleted: ['The account {name} was deleted.', fr`Le compte {name} a été supprimé.`],
  tokenRevoked: [
    'The token {name} was revoked: it is refused from now on.',
    fr`Le jeton {name} a été révoqué : il est refusé désormais.`,
  ],
  intervalSet: ['The interval is {interval} now.', fr`L’intervalle est désormais {interval}.`],
  intervalCleared: [
    'The configured interval {interval} is in effect again.',
    fr`L’intervalle configuré, {interval}, est de nouveau en vigueur.`,
  ],
  rateLimitSet: ['The cap is {rate} now.', fr`Le plafond est désormais {rate}.`],
  rateLimitCleared: [
    'The configured cap {rate} is in effect again.',
    fr`Le plafond configuré, {rate}, est de nouveau en vigueur.`,
  ],
  windowsSet: ['The windows have changed.', fr`Les fenêtres ont changé.`],
  windowsCleared: [
    'The configured windows are in effect again.',
    fr`Les fenêtres configurées sont de nouveau en vigueur.`,
  ],
  certificateReplaced: [
    'The certificate was replaced. New connections get it at once.',
    fr`Le certificat a été remplacé. Les nouvelles connexions le reçoivent aussitôt.`,
  ],
  deliveryForgotten: ['The delivery {id} was forgotten.', fr`La livraison {id} a été oubliée.`],
  storeEmptied: {
    one: [
      'The store was emptied: {count} repository and {bytes:size} were removed.',
      fr`Le stockage a été vidé : {count} dépôt et {bytes:size} ont été supprimés.`,
    ],
    other: [
      'The store was emptied: {count} repositories and {bytes:size} were removed.',
      fr`Le stockage a été vidé : {count} dépôts et {bytes:size} ont été supprimés.`,
    ],
  },
} as const;
