/** Colours of the band above the pages: each has its contrast in every theme. */
export const accents = ['blue', 'teal', 'green', 'ochre', 'magenta', 'violet', 'grey'] as const;
export type Accent = (typeof accents)[number];

/** Patterns of the band, which tell instances apart without colours. */
export const patterns = ['solid', 'stripes', 'dots', 'checks', 'bars'] as const;
export type Pattern = (typeof patterns)[number];
