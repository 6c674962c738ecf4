import { Account, Certificate, Network, RateLimit, Token, Windows } from './access.ts';
import { LintAnswer, PinAnswer, RecipeDiff } from './authoring.ts';
import { ContentList, DeletePreview, FolderList, Inspection, Repository, Tag } from './content.ts';
import { code, ErrorRecord, Problem, params, Rule } from './error.ts';
import { Fileset, FilesetList, PackedFilesetAnswer, View } from './fileset.ts';
import { LayoutExport, LayoutImport, LayoutImportPlan, LayoutPlan } from './layout.ts';
import { Link, LinkForecast } from './link.ts';
import { Media, MediumReport, VerificationState } from './medium.ts';
import { Plan, PlanAnswer, PlanProblem } from './plan.ts';
import {
  ClientConfig,
  ClientList,
  Interval,
  PrunePreview,
  PruneProjection,
  PublishedRecipe,
  RecipeList,
  RecipeMapping,
  RecipeName,
  RecipeRecord,
  Retriever,
} from './recipe.ts';
import { type Component, nameOf, resolve, type Schema } from './schema.ts';
import { Identity, Status } from './status.ts';
import { ResetPreview, ResetResult, StoreCheckReport } from './store.ts';
import {
  CancelledTasks,
  SyncAnswer,
  Task,
  TaskAnswer,
  TaskList,
  TaskLog,
  TaskSummary,
  TaskSummaryList,
} from './task.ts';

const components: readonly Component[] = [
  code,
  params,
  Problem,
  ErrorRecord,
  Rule,
  LayoutPlan,
  LayoutImportPlan,
  LayoutExport,
  LayoutImport,
  ContentList,
  FolderList,
  Repository,
  Tag,
  DeletePreview,
  Inspection,
  TaskSummary,
  Task,
  TaskAnswer,
  SyncAnswer,
  TaskList,
  TaskSummaryList,
  CancelledTasks,
  TaskLog,
  Identity,
  Link,
  LinkForecast,
  Status,
  RecipeRecord,
  RecipeName,
  RecipeList,
  RecipeMapping,
  ClientConfig,
  ClientList,
  PublishedRecipe,
  PrunePreview,
  PruneProjection,
  Interval,
  Retriever,
  LintAnswer,
  PinAnswer,
  RecipeDiff,
  PlanProblem,
  Plan,
  PlanAnswer,
  Media,
  MediumReport,
  VerificationState,
  StoreCheckReport,
  ResetPreview,
  ResetResult,
  Fileset,
  View,
  FilesetList,
  PackedFilesetAnswer,
  Account,
  Token,
  Certificate,
  RateLimit,
  Windows,
  Network,
];

/** Shared schemas of the API and the command line, by name. Members that are not required may be absent. */
export const sharedSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  components.map((one) => [nameOf(one), resolve(one)]),
);
