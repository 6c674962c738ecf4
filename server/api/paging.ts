import { whole } from '../../src/contract/schema.ts';

/**
 * The two parameters of a paginated list.
 *
 * @param pageSize default number of entries on one page
 */
export function toPagingParameters(pageSize: number) {
  return [
    {
      name: 'page',
      schema: whole({ minimum: 1, maximum: 1_000_000, default: 1 }),
      description: 'Page number, from 1; a page past the end is empty',
      example: 1,
    },
    {
      name: 'pageSize',
      schema: whole({ minimum: 1, maximum: 200, default: pageSize }),
      description: 'Entries per page',
      example: 50,
    },
  ] as const;
}

/** The two parameters of most paginated lists. */
export const pagingParameters = toPagingParameters(25);
