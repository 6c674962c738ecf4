/** The picture of how full the store is. */
export const occupancy = {
  used: ['in the store', 'dans le magasin'],
  threshold: ['threshold {threshold:size}', 'seuil de {threshold:size}'],
  over: ['over the threshold of {threshold:size}', 'au-dessus du seuil de {threshold:size}'],
  noThreshold: ['no threshold is set', 'aucun seuil n’est défini'],
  free: ['{free:size} free on the volume', '{free:size} libres sur le volume'],
} as const;
