/** The page `/`. */
export const overview = {
  title: ['Overview', 'Vue d’ensemble'],
  version: ['Version', 'Version'],
  mode: ['Mode', 'Mode'],
  zone: ['Zone', 'Zone'],
  noZone: ['not set', 'non définie'],
  occupancy: ['Store', 'Magasin'],
  unmonitored: ['no threshold is set', 'aucun seuil n’est défini'],
} as const;
