/** Groups of subjects, in the order in which they are compared. */
export const groups = ['documents', 'help', 'lines', 'answers', 'pages'] as const;
export type Group = (typeof groups)[number];

/**
 * How the body of a subject is compared: as text, or as a JSON value whose reader ignores unknown members. Or as a schema
 * of documents that the program writes (`answer-schema`) or reads (`request-schema`).
 */
export type Form = 'text' | 'value' | 'openapi' | 'answer-schema' | 'request-schema';

/** Something that users or scripts see, with placeholders for values that differ from run to run. */
export interface Subject {
  /** Exit status, stderr, status, headers: compared as text. */
  readonly head: string;
  readonly body: string;
  readonly form: Form;
}

/** By names that are the same for both programs. */
export type Subjects = ReadonlyMap<string, Subject>;
