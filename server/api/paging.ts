import type { QueryParameter } from './api-route.ts';

/** Parameters `page` and `pageSize` of the paginated lists. */
export const pagingParameters: readonly QueryParameter[] = [
  {
    name: 'page',
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
    description: 'Page number, from 1; a page past the end is empty',
  },
  {
    name: 'pageSize',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 25 },
    description: 'Entries per page',
  },
];
