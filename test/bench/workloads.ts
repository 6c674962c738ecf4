import { growth } from './growth.ts';
import { pullBlob } from './p1-pull-blob.ts';
import { pushBlob } from './p2-push-blob.ts';
import { getManifests } from './p3-manifests.ts';
import { pushImages } from './p4-push-images.ts';
import { firstSync } from './p5-first-sync.ts';
import { secondSync } from './p6-second-sync.ts';
import { verifyMedium } from './p7-verify-medium.ts';
import { importMedium } from './p8-import-medium.ts';
import { layouts } from './p9-layouts.ts';
import { packFileset } from './p10-pack-fileset.ts';
import { startup } from './p11-startup.ts';
import { memory } from './p12-memory.ts';
import { largeStore } from './p13-large-store.ts';
import { verificationOverhead } from './p14-verification.ts';
import { pages } from './p15-pages.ts';
import { mixed } from './p16-mixed.ts';
import { fleet } from './p17-fleet.ts';
import { largerStore } from './p18-larger-store.ts';
import { pin } from './pin.ts';
import type { Workload } from './workload.ts';

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
  pin,
  growth,
];
