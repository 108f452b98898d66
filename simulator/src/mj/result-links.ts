import type { Asset } from '../assets/asset-store';
import { type Content, contentOfBytes } from '../assets/content';
import { linkExpirySeconds } from '../jobs/vendor-job';
import type { VideoStudio } from '../media/video/video-studio';
import type { Gallery } from './gallery';
import { type Image, sizeOf } from './image';
import type { MjAccount, MjTask } from './task';

/** The whole sheet, or the one image. */
export function sheetLink(task: MjTask): string {
  return link(task, 'sheet.png');
}

/** One image of a sheet, counted from 0. */
export function singleLink(task: MjTask, index: number): string {
  return link(task, `${index}.png`);
}

export function videoLink(task: MjTask, index: number): string {
  return link(task, `${index}.mp4`);
}

function link(task: MjTask, file: string): string {
  return `http://${task.detail.host}/assets/mj-${task.id}-${file}?exp=${linkExpirySeconds(task)}`;
}

interface Makers {
  account: MjAccount;
  gallery: Gallery;
  studio: VideoStudio;
}

/**
 * The file behind such a link. Nothing is kept for it but the recipe in its task: it is made when it is fetched, so that
 * thousands of tasks cost no image that nobody looks at.
 */
export function findMjFile(name: string, makers: Makers): Asset | undefined {
  const [, id = '', file = '', kind = ''] = /^mj-(\d+)-(sheet|\d)\.(png|mp4)$/.exec(name) ?? [];
  const task = makers.account.tasks.findFile(id);
  if (!task || makers.account.tasks.state(task) !== 'done') return undefined;
  const open = kind === 'mp4' ? videoOf(task, file, makers) : imageOf(task, file, makers);
  return open && { expiresAtMs: linkExpirySeconds(task) * 1_000, fault: task.assetFault, open };
}

type Open = (() => Promise<Content>) | undefined;

function videoOf({ detail: { work } }: MjTask, number: string, { studio }: Makers): Open {
  const video = work.kind === 'videos' ? work.videos[Number(number)] : undefined;
  return video && (() => studio.video(video));
}

function imageOf(task: MjTask, file: string, { gallery }: Makers): Open {
  const images = imagesOf(task);
  const wanted = file === 'sheet' ? images : images.slice(Number(file), Number(file) + 1);
  if (wanted.length === 0) return undefined;
  return async () => contentOfBytes(await gallery.sheet(wanted), 'image/png');
}

export function imagesOf({ detail: { work } }: MjTask): readonly Image[] {
  return work.kind === 'images' ? work.images : [];
}

/** Size of the sheet in pixels; undefined for a task without images. */
export function sheetSize(task: MjTask): { width: number; height: number } | undefined {
  const [first, ...others] = imagesOf(task);
  if (!first) return undefined;
  const { width, height } = sizeOf(first);
  return others.length === 0 ? { width, height } : { width: 2 * width, height: 2 * height };
}
