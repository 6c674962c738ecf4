import { pullBlob } from './p1-pull-blob.ts';
import { pushBlob } from './p2-push-blob.ts';
import { getManifests } from './p3-manifests.ts';
import { pushImages } from './p4-push-images.ts';
import type { Workload } from './workload.ts';

/** Every benchmark, in the order in which they run. */
export const workloads: readonly Workload[] = [pullBlob, pushBlob, getManifests, pushImages];
