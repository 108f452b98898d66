const MAKER = 'its functions share what it was given; each of them is short';
const WIRING = 'puts parts together, a line or two each';
const DATA = 'fields or routes, a line or two each';
const STORY = 'one story, read from top to bottom';

/** By file and name; the figures may only become smaller, and nothing may be added. */
export const LONG_FUNCTIONS: Readonly<Record<string, { lines: number; why: string }>> = {
  'bench/reference/naive-api.ts main': { lines: 42, why: WIRING },
  'packages/catalog/src/define-model.ts defineModel': { lines: 59, why: MAKER },
  'packages/catalog/src/known-fields.ts pickKnown': { lines: 51, why: STORY },
  'packages/host/src/life.ts createLife': { lines: 42, why: MAKER },
  'packages/languages/src/translations.ts createTranslations': { lines: 50, why: MAKER },
  'packages/upstreams/src/event-splitter.ts createEventSplitter': { lines: 55, why: MAKER },
  'packages/upstreams/src/kling-video/elements.ts createElements': { lines: 56, why: MAKER },
  'packages/upstreams/src/ttapi-suno/request.ts fieldsOf': { lines: 42, why: DATA },
  'scripts/steps.mjs showSteps': { lines: 44, why: STORY },
  'services/api/src/http/body/body-bytes.ts followBody': { lines: 48, why: MAKER },
  'services/api/src/http/caller-watch.ts watchCaller': { lines: 42, why: STORY },
  'services/api/src/routes/public/audio/audio-answer.ts openAudioAnswer': { lines: 44, why: MAKER },
  'simulator/src/app.ts createSimulator': { lines: 51, why: WIRING },
  'simulator/src/control/routes.ts controlRoutes': { lines: 53, why: DATA },
  'simulator/src/journal/journal.ts createJournal': { lines: 41, why: MAKER },
  'simulator/src/media/file-cache.ts createFileCache': { lines: 57, why: MAKER },
  'simulator/src/mj/task.ts createMjAccount': { lines: 42, why: MAKER },
  'tools/dev/src/demo/callback-receiver.ts openCallbackReceiver': { lines: 47, why: MAKER },
  'tools/dev/src/logs/service-logs.ts openServiceLogs': { lines: 46, why: MAKER },
  'tools/dev/src/start-system.ts startSystem': { lines: 51, why: WIRING },
  'tools/dev/src/supervisor.ts createSupervisor': { lines: 49, why: MAKER },
};

/** Files of over 250 lines, with the reason. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'packages/contracts/src/reasons.ts': 'one table, as long as there are reasons',
};
