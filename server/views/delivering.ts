import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** Whether the instance keeps receipts and deliveries of zones: it has a `state.root`. */
export const keepsReceipts = ({ instance }: Parts): boolean =>
  instance.context.config.state.root !== undefined;
