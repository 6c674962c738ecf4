/** One of the two programs that are compared. Both names are equally long, so that paths do not change a layout. */
export interface Side {
  readonly name: 'older' | 'newer';
  /** Folder of the sources. */
  readonly sources: string;
  /** Path of the built program. */
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Texts that differ between the sides or from run to run, each with its placeholder. More are added as they become known. */
  readonly placeholders: Map<string, string>;
}
