import { fr } from '../language.ts';

/** The picture of how full the store is. */
export const occupancy = {
  used: ['in the store', fr`dans le stockage`],
  threshold: ['threshold {threshold:size}', fr`seuil de {threshold:size}`],
  over: ['over the threshold of {threshold:size}', fr`au-dessus du seuil de {threshold:size}`],
  noThreshold: ['no threshold is set', fr`aucun seuil n’est défini`],
  free: ['{free:size} free on the volume', fr`{free:size} libres sur le volume`],
} as const;
