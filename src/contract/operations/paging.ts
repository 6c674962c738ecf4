import { fr } from '../../text/language.ts';
import { field } from '../operation.ts';
import { whole } from '../schema.ts';

/**
 * The two query parameters of a paginated list.
 *
 * @param pageSize default number of entries on one page
 */
export function paging(pageSize = 25) {
  return {
    page: field(
      whole({ minimum: 1, maximum: 1_000_000, default: 1 }),
      ['page to show (1)', fr`page à afficher (1)`],
      1,
      'A page past the end is empty',
    ),
    pageSize: field(
      whole({ minimum: 1, maximum: 200, default: pageSize }),
      [`entries of a page, at most 200 (${pageSize})`, fr`entrées par page, au plus 200 (${pageSize})`],
      50,
    ),
  };
}
