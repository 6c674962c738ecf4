/** Folders of generated files that are part of the package. */
export const packagedFolders = ['man', 'completions'] as const;

/** Folders that contain generated files only. */
export const generatedFolders = [...packagedFolders, 'deploy/chart/rules'] as const;
