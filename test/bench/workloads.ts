import { growth } from './growth.ts';
import type { Workload } from './workload.ts';
import { chartIndex } from './workloads/chart-index.ts';
import { pullBlob } from './workloads/p1-pull-blob.ts';
import { pushBlob } from './workloads/p2-push-blob.ts';
import { getManifests } from './workloads/p3-manifests.ts';
import { pushImages } from './workloads/p4-push-images.ts';
import { firstSync } from './workloads/p5-first-sync.ts';
import { secondSync } from './workloads/p6-second-sync.ts';
import { verifyMedium } from './workloads/p7-verify-medium.ts';
import { importMedium } from './workloads/p8-import-medium.ts';
import { layouts } from './workloads/p9-layouts.ts';
import { packFileset } from './workloads/p10-pack-fileset.ts';
import { startup } from './workloads/p11-startup.ts';
import { memory } from './workloads/p12-memory.ts';
import { largeStore } from './workloads/p13-large-store.ts';
import { verificationOverhead } from './workloads/p14-verification.ts';
import { pages } from './workloads/p15-pages.ts';
import { mixed } from './workloads/p16-mixed.ts';
import { fleet } from './workloads/p17-fleet.ts';
import { largerStore } from './workloads/p18-larger-store.ts';
import { deliveries } from './workloads/p19-deliveries.ts';
import { pulls } from './workloads/p20-pulls.ts';
import { pin } from './workloads/pin.ts';

/** Every benchmark, in the order in which they run. */
export const workloads: readonly Workload[] = [
  pullBlob,
  pushBlob,
  getManifests,
  pushImages,
  firstSync,
  secondSync,
  verifyMedium,
  importMedium,
  layouts,
  packFileset,
  startup,
  memory,
  largeStore,
  verificationOverhead,
  pages,
  mixed,
  fleet,
  largerStore,
  deliveries,
  pulls,
  pin,
  chartIndex,
  growth,
];
