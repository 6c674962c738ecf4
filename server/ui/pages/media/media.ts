import { cancelVerification, importMedium, verifyMedium } from '../../../../src/contract/operations/media.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { media } from '../../../../src/text/words/media.ts';
import { toPath } from '../../to-href.ts';
import { action, page, type UiRoute } from '../../ui-route.ts';
import { ofState } from './deliveries.ts';
import { forgetPages } from './forget.ts';
import { showReport } from './report.ts';
import { reportJson } from './report-file.ts';
import { showMediumPage } from './show.ts';

export const mediaPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/media',
    floor: 'operator',
    title: media.title,
    query: { ...paging(), deliveries: ofState },
    page: showMediumPage,
  }),
  ...forgetPages,
  { method: 'GET', path: '/media/report', floor: 'operator', title: media.print, page: showReport },
  { method: 'GET', path: '/media/report.json', floor: 'operator', file: reportJson },
  action(verifyMedium, {
    path: '/media/verify',
    page: '/media',
    done: () => ({ location: '/media' }),
  }),
  action(cancelVerification, {
    path: '/media/verify/cancel',
    page: '/media',
    done: () => ({ location: '/media' }),
  }),
  action(importMedium, {
    path: '/media/import',
    page: '/media',
    done: (_call, answer) => {
      const { task } = answer as { readonly task: { readonly id: string } };
      return { location: toPath('/tasks/{id}', { id: task.id }) };
    },
  }),
];
