/** Records of one batch as they are written, made before the batch is appended. */
export class PreparedRecords {
  readonly text: string;
  readonly count: number;

  /** @param lines one line of JSON for each record, with its line feed */
  constructor(lines: readonly string[]) {
    this.text = lines.join('');
    this.count = lines.length;
  }
}
