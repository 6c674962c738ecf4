/** The folders of which every file is generated. */
export const generatedFolders = ['man', 'completions'] as const;
