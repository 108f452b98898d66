import type { Clock } from '../clock';
import type { Faults } from '../faults/chooser';
import { type JobState, stateOf } from '../jobs/vendor-job';
import type { JsonObject } from '../vendor-call/contract';
import { buttonsOf } from './buttons';
import { imagesOf, sheetLink, sheetSize, singleLink, videoLink } from './result-links';
import type { MjTask } from './task';

export interface Reporting {
  clock: Clock;
  /** The faults that strike this answer. */
  faults?: Pick<Faults, 'take'> | undefined;
}

/** A task as `/task/{id}/fetch` and the callbacks tell it. */
export function reportOf(task: MjTask, { clock, faults }: Reporting): JsonObject {
  const { detail } = task;
  const state = stateOf(task, clock.now());
  const percent = percentOf(task, state, clock.now());
  const status = faults?.take('new-status-word') ? 'REVIEWING' : statusOf(task, state, clock.now());
  return {
    id: task.id,
    action: detail.action,
    status,
    prompt: detail.prompt,
    promptEn: detail.prompt,
    description: detail.description,
    state: detail.state ?? null,
    mode: detail.mode,
    botType: detail.botType,
    submitTime: task.submittedAtMs,
    ...times(task, state),
    progress: `${percent}%`,
    failReason: failReason(task, state),
    properties: { finalPrompt: detail.fullPrompt, messageHash: detail.hash, notifyHook: detail.hook ?? null },
    ...noResult,
    ...(state === 'done' && spoilt(resultOf(task), faults)),
  };
}

const noResult = { imageUrl: null, imageUrls: null, videoUrl: null, videoUrls: null, buttons: [], seed: null };

function statusOf(task: MjTask, state: JobState, nowMs: number): string {
  switch (state) {
    case 'queued':
      if (task.detail.window) return 'MODAL';
      return nowMs < (task.submittedAtMs + task.startsAtMs) / 2 ? 'NOT_START' : 'SUBMITTED';
    case 'running':
      return 'IN_PROGRESS';
    case 'done':
      return 'SUCCESS';
    case 'policy':
    case 'fault':
      return 'FAILURE';
    case 'cancelled':
      return 'CANCEL';
  }
}

function failReason({ detail }: MjTask, state: JobState): string | null {
  if (state === 'policy') return 'Banned prompt detected';
  if (state === 'fault') return detail.fault ?? 'Internal error: the job could not be completed';
  return state === 'cancelled' ? 'The task was cancelled' : null;
}

function times({ startsAtMs, endsAtMs, cancelledAtMs }: MjTask, state: JobState) {
  if (state === 'queued') return { startTime: null, finishTime: null };
  if (state === 'running') return { startTime: startsAtMs, finishTime: null };
  if (cancelledAtMs === undefined) return { startTime: startsAtMs, finishTime: endsAtMs };
  return { startTime: cancelledAtMs < startsAtMs ? null : startsAtMs, finishTime: cancelledAtMs };
}

/** How far a task gets that is stuck. */
const STUCK_PERCENT = 31;

function percentOf({ startsAtMs, endsAtMs }: MjTask, state: JobState, nowMs: number): number {
  if (state === 'running') {
    return Number.isFinite(endsAtMs)
      ? Math.floor((99 * (nowMs - startsAtMs)) / (endsAtMs - startsAtMs))
      : STUCK_PERCENT;
  }
  return state === 'queued' || state === 'cancelled' ? 0 : 100;
}

function resultOf(task: MjTask): JsonObject {
  const { detail } = task;
  const buttons = buttonsOf(detail).map(({ customId, emoji, label }) => ({
    customId,
    emoji,
    label,
    type: 2,
    style: 2,
  }));
  const all = { buttons, seed: String(detail.seed) };
  if (detail.work.kind === 'videos') {
    const videos = detail.work.videos.slice(0, detail.partsReported);
    const videoUrls = videos.map((_video, index) => ({
      url: videoLink(task, index),
      thumbnail: null,
    }));
    return { ...all, videoUrl: videoUrls[0]?.url ?? null, videoUrls };
  }
  const size = sheetSize(task);
  if (!size) return all;
  const singles = imagesOf(task).slice(0, detail.partsReported);
  const imageUrls = singles.map((_image, index) => ({ url: singleLink(task, index), thumbnail: null }));
  return { ...all, ...size, imageUrl: sheetLink(task), imageUrls: imageUrls.length > 0 ? imageUrls : null };
}

function spoilt(result: JsonObject, faults: Reporting['faults']): JsonObject {
  if (faults?.take('empty-result')) return noResult;
  if (faults?.take('missing-url')) return { ...result, ...noLinks };
  return faults?.take('wrong-type')
    ? { ...result, ...noLinks, imageUrl: 42, imageUrls: 'none', videoUrls: {} }
    : result;
}

const noLinks = { imageUrl: null, imageUrls: null, videoUrl: null, videoUrls: null };
