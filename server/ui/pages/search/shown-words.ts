import { accounts } from '../../../../src/text/words/accounts.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { plan } from '../../../../src/text/words/delivering/plan.ts';
import { receipts } from '../../../../src/text/words/delivering/receipts.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import { history, nuanceWords, outcomeWords } from '../../../../src/text/words/history.ts';
import { layout } from '../../../../src/text/words/layout.ts';
import { media } from '../../../../src/text/words/media.ts';
import { network } from '../../../../src/text/words/network.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { retriever } from '../../../../src/text/words/retriever.ts';
import type { searchedPages } from '../../../../src/text/words/search.ts';
import { filesets } from '../../../../src/text/words/serving/filesets.ts';
import { store } from '../../../../src/text/words/store.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';

/** Words of badges that are no state of a filtered list, by the page that shows them: a reader may type one that a page shows. */
export const shownWords: Readonly<Partial<Record<keyof typeof searchedPages, readonly Sentence[]>>> = {
  accounts: [accounts.valid],
  network: [
    network.expired,
    network.notYet,
    network.allowed,
    network.notAllowed,
    network.windowClosed,
    network.windowOpen,
  ],
  layout: [layout.new, layout.outdated],
  retriever: [retriever.disabled, retriever.unsigned],
  content: [versionWords.absent, versionWords.present],
  filesets: [filesets.anonymous],
  medium: [
    media.zoneMatch,
    media.zoneOther,
    media.waived,
    media.recipePushable,
    media.openPart,
    media.open,
    media.own,
    media.recipeHeld,
    media.recipeWaits,
    deliveries.notLanded,
    overview.damagedCopy,
  ],
  store: [store.undamaged],
  publish: [publish.published],
  receipts: [
    receipts.future,
    receipts.own,
    receipts.forked,
    receipts.lowered,
    receipts.unbelieved,
    overview.receiptWrong,
    overview.receiptOverdue,
  ],
  deliveries: [dossier.isProved, dossier.doubted],
  deliver: [plan.absent, plan.unsignedShort],
  sync: [sync.fits, sync.short, sync.newSignatures, sync.lower],
  tasks: [tasks.keptFor],
  zones: [
    zones.forkedShort,
    zones.otherMediumShort,
    zones.unreadableShort,
    zones.unbelievedShort,
    zones.unresolvedShort,
    zones.readingShort,
    zones.partialShort,
  ],
  history: [history.chainGoing, history.chainWhole, outcomeWords.success, nuanceWords.refused],
  denied: [outcomeWords.denied],
  failures: [outcomeWords.failure, nuanceWords.part, nuanceWords.unproved],
  open: [outcomeWords.open],
  recipes: [recipeWords.keyWithdrawn],
};
