import type { Direction, Motion, Press, TaskDetail } from './task';
import { canPan, variesInGrid } from './version';

export interface Button {
  customId: string;
  label: string;
  emoji: string;
  press: Press;
}

/** The buttons under a finished task: they follow from what it made, and by which version. Texts have none that a caller may press. */
export function buttonsOf({
  work,
  action,
  version,
  hash,
}: Pick<TaskDetail, 'work' | 'action' | 'version' | 'hash'>): Button[] {
  switch (work.kind) {
    case 'videos':
      return work.videos.flatMap((_video, index) => videoButtons(index + 1, hash));
    case 'texts':
      return [];
    case 'images': {
      const [first, ...others] = work.images;
      if (!first) return [];
      if (others.length > 0) return gridButtons(hash, variesInGrid(version));
      return singleButtons({ version, hash, isUpscale: action === 'UPSCALE' });
    }
  }
}

/** How much longer or wider an image becomes by panning. */
export const PAN_FACTOR = 1.5;

const indexes = [1, 2, 3, 4];

function button(customId: string, label: string, press: Press, emoji = ''): Button {
  return { customId, label, emoji, press };
}

function gridButtons(hash: string, varies: boolean): Button[] {
  const upscale = (index: number) =>
    button(`MJ::JOB::upsample::${index}::${hash}`, `U${index}`, { kind: 'upscale', index });
  const variation = (index: number) =>
    button(`MJ::JOB::variation::${index}::${hash}`, `V${index}`, { kind: 'vary', index, strength: 'strong' });
  return [
    ...indexes.map(upscale),
    reroll(hash),
    ...indexes.map(variation),
    ...(varies ? indexes.flatMap((index) => varyButtons(index, hash)) : []),
  ];
}

interface Single {
  version: TaskDetail['version'];
  hash: string;
  /** Whether the image comes straight from a grid, and may be made larger still. */
  isUpscale: boolean;
}

function singleButtons({ version, hash, isUpscale }: Single): Button[] {
  const enlarge = (manner: 'Subtle' | 'Creative') =>
    button(`MJ::JOB::upsample_v${version.number}_2x_${manner.toLowerCase()}::1::${hash}::SOLO`, `Upscale (${manner})`, {
      kind: 'enlarge',
    });
  return [
    ...(isUpscale ? [enlarge('Subtle'), enlarge('Creative')] : [reroll(hash)]),
    ...varyButtons(1, hash),
    button(`MJ::Inpaint::1::${hash}::SOLO`, 'Vary (Region)', { kind: 'inpaint' }),
    zoomOut(50, 2, hash),
    zoomOut(75, 1.5, hash),
    ...(canPan(version) ? panButtons(hash) : []),
    ...(['high', 'low'] as const).map((motion) => animate(motion, hash)),
  ];
}

function reroll(hash: string): Button {
  return button(`MJ::JOB::reroll::0::${hash}::SOLO`, '', { kind: 'reroll' }, '🔄');
}

function varyButtons(index: number, hash: string): Button[] {
  return [
    button(`MJ::JOB::low_variation::${index}::${hash}::SOLO`, 'Vary (Subtle)', {
      kind: 'vary',
      index,
      strength: 'subtle',
    }),
    button(`MJ::JOB::high_variation::${index}::${hash}::SOLO`, 'Vary (Strong)', {
      kind: 'vary',
      index,
      strength: 'strong',
    }),
  ];
}

function zoomOut(percent: number, ratio: number, hash: string): Button {
  return button(`MJ::Outpaint::${percent}::1::${hash}::SOLO`, `Zoom Out ${ratio}x`, { kind: 'zoom', ratio });
}

const arrows: [Direction, string][] = [
  ['left', '⬅️'],
  ['right', '➡️'],
  ['up', '⬆️'],
  ['down', '⬇️'],
];

function panButtons(hash: string): Button[] {
  return arrows.map(([direction, emoji]) =>
    button(`MJ::JOB::pan_${direction}::1::${hash}::SOLO`, '', { kind: 'pan', direction }, emoji),
  );
}

const words: Readonly<Record<Motion, string>> = { high: 'High motion', low: 'Low motion' };

function animate(motion: Motion, hash: string): Button {
  return button(`MJ::JOB::animate_${motion}::1::${hash}::SOLO`, `Animate (${words[motion]})`, {
    kind: 'animate',
    motion,
  });
}

function videoButtons(index: number, hash: string): Button[] {
  return (['high', 'low'] as const).map((motion) =>
    button(`MJ::JOB::animate_${motion}_extend::${index}::${hash}::SOLO`, `Extend ${index} (${words[motion]})`, {
      kind: 'extend-video',
      index,
      motion,
    }),
  );
}
