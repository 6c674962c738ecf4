import { diffSides, pinRecipe } from '../src/authoring/door.ts';
import { packForClient } from '../src/operation/custody/pack-for-client.ts';
import { submitImport } from '../src/operation/import-artifact.ts';
import { inspectArtifact } from '../src/operation/inspect-artifact.ts';
import {
  previewLayoutExport,
  previewLayoutImport,
  submitLayoutExport,
  submitLayoutImport,
} from '../src/operation/instance/layout-requests.ts';
import {
  beginVerification,
  submitMediumImport,
  verifyMedium,
} from '../src/operation/instance/medium-requests.ts';
import { beginProof, proveMediaHere } from '../src/operation/instance/prove-request.ts';
import { submitSync } from '../src/operation/instance/submit-sync.ts';
import { planMediaWrite, submitMediaWrite } from '../src/operation/instance/write-requests.ts';
import { packBelowRoots } from '../src/operation/pack-fileset.ts';
import { planSync } from '../src/operation/plan-sync.ts';
import { previewPrune, projectPrune } from '../src/operation/prune-preview.ts';
import { publishRecipe } from '../src/operation/recipe/publish-recipe.ts';
import { resetStore } from '../src/operation/reset-store.ts';
import { addReceipt } from '../src/operation/zone/known-receipts.ts';
import { readZoneBoards } from '../src/operation/zone/read-zone-boards.ts';

/** The operations that ask registries, read a disk or change something. A test of a surface answers in the place of some. */
export const operations = {
  addReceipt,
  beginProof,
  beginVerification,
  diffSides,
  inspectArtifact,
  packBelowRoots,
  packForClient,
  pinRecipe,
  planMediaWrite,
  planSync,
  previewLayoutExport,
  previewLayoutImport,
  previewPrune,
  projectPrune,
  proveMediaHere,
  publishRecipe,
  readZoneBoards,
  resetStore,
  submitImport,
  submitLayoutExport,
  submitLayoutImport,
  submitMediaWrite,
  submitMediumImport,
  submitSync,
  verifyMedium,
};

export type Operations = typeof operations;
