/** Folders that contain generated files only. */
export const generatedFolders = ['man', 'completions'] as const;
