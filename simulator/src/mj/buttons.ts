import { type Image, sizeOf } from './image';
import type { Direction, Motion, Press } from './press';
import type { TaskDetail } from './task';
import { canPan, canRepaint, canZoom, enlargers, variesInGrid } from './version';

export interface Button {
  customId: string;
  label: string;
  emoji: string;
  press: Press;
}

/** The buttons under a finished task: they follow from what it made, and by which version. */
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
      return work.of ? describeButtons() : work.texts.map((_text, index) => analyzerButton(index + 1));
    case 'images': {
      const [first, ...others] = work.images;
      if (!first) return [];
      if (others.length > 0) return gridButtons(hash, variesInGrid(version));
      return singleButtons(first, { version, hash, isUpscale: action === 'UPSCALE' });
    }
  }
}

/** An image may be extended until it is this much longer than wide, or wider than long. */
const MAX_ASPECT = 4;
export const PAN_FACTOR = 1.5;

const indexes = [1, 2, 3, 4];

function gridButtons(hash: string, varies: boolean): Button[] {
  const upscale = (index: number): Button => ({
    customId: `MJ::JOB::upsample::${index}::${hash}`,
    label: `U${index}`,
    emoji: '',
    press: { kind: 'upscale', index },
  });
  const variation = (index: number): Button => ({
    customId: `MJ::JOB::variation::${index}::${hash}`,
    label: `V${index}`,
    emoji: '',
    press: { kind: 'vary', index, strength: 'strong' },
  });
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

function singleButtons(image: Image, { version, hash, isUpscale }: Single): Button[] {
  const enlarge = (isUpscale ? enlargers(version) : undefined) ?? [];
  return [
    ...enlarge.map(
      ({ name, label, factor }): Button => ({
        customId: `MJ::JOB::upsample_${name}::1::${hash}::SOLO`,
        label,
        emoji: 'upscale_1',
        press: { kind: 'enlarge', factor },
      }),
    ),
    ...(isUpscale ? [] : [reroll(hash)]),
    ...varyButtons(1, hash),
    ...(canRepaint(version) ? [inpaint(hash)] : []),
    ...(canZoom(version) ? zoomButtons(hash) : []),
    ...(canPan(version) ? panButtons(image, hash) : []),
    ...(['high', 'low'] as const).map((motion) => animate(motion, hash)),
  ];
}

function reroll(hash: string): Button {
  return { customId: `MJ::JOB::reroll::0::${hash}::SOLO`, label: '', emoji: '🔄', press: { kind: 'reroll' } };
}

function varyButtons(index: number, hash: string): Button[] {
  return [
    {
      customId: `MJ::JOB::low_variation::${index}::${hash}::SOLO`,
      label: 'Vary (Subtle)',
      emoji: '🪄',
      press: { kind: 'vary', index, strength: 'subtle' },
    },
    {
      customId: `MJ::JOB::high_variation::${index}::${hash}::SOLO`,
      label: 'Vary (Strong)',
      emoji: '🪄',
      press: { kind: 'vary', index, strength: 'strong' },
    },
  ];
}

function inpaint(hash: string): Button {
  const customId = `MJ::Inpaint::1::${hash}::SOLO`;
  return { customId, label: 'Vary (Region)', emoji: '🖌️', press: { kind: 'inpaint' } };
}

function zoomButtons(hash: string): Button[] {
  const out = (percent: number, ratio: number): Button => ({
    customId: `MJ::Outpaint::${percent}::1::${hash}::SOLO`,
    label: `Zoom Out ${ratio}x`,
    emoji: '🔍',
    press: { kind: 'zoom', ratio },
  });
  const custom: Button = {
    customId: `MJ::CustomZoom::${hash}`,
    label: 'Custom Zoom',
    emoji: '🔍',
    press: { kind: 'custom-zoom' },
  };
  return [out(50, 2), out(75, 1.5), custom];
}

function panButtons(image: Image, hash: string): Button[] {
  const { width, height } = sizeOf(image);
  const fits = (direction: Direction) =>
    direction === 'left' || direction === 'right'
      ? (width * PAN_FACTOR) / height <= MAX_ASPECT
      : (height * PAN_FACTOR) / width <= MAX_ASPECT;
  const arrows: [Direction, string][] = [
    ['left', '⬅️'],
    ['right', '➡️'],
    ['up', '⬆️'],
    ['down', '⬇️'],
  ];
  return arrows
    .filter(([direction]) => fits(direction))
    .map(([direction, emoji]) => ({
      customId: `MJ::JOB::pan_${direction}::1::${hash}::SOLO`,
      label: '',
      emoji,
      press: { kind: 'pan', direction },
    }));
}

function animate(motion: Motion, hash: string): Button {
  const label = `Animate (${motion === 'high' ? 'High' : 'Low'} motion)`;
  return {
    customId: `MJ::JOB::animate_${motion}::1::${hash}::SOLO`,
    label,
    emoji: '🎞️',
    press: { kind: 'animate', motion },
  };
}

function videoButtons(index: number, hash: string): Button[] {
  return (['high', 'low'] as const).map((motion) => ({
    customId: `MJ::JOB::animate_${motion}_extend::${index}::${hash}::SOLO`,
    label: `Extend ${index} (${motion === 'high' ? 'High' : 'Low'} motion)`,
    emoji: '🎞️',
    press: { kind: 'extend-video', index, motion },
  }));
}

function describeButtons(): Button[] {
  const reader = (name: number | 'all', press: Press): Button => ({
    customId: `MJ::Job::PicReader::${name}`,
    label: name === 'all' ? 'Imagine all' : '',
    emoji: name === 'all' ? '🎉' : `${name}️⃣`,
    press,
  });
  return [
    ...indexes.map((index) => reader(index, { kind: 'imagine-text', index })),
    { customId: 'MJ::Picread::Retry', label: '', emoji: '🔄', press: { kind: 'describe-again' } },
    reader('all', { kind: 'imagine-all' }),
  ];
}

function analyzerButton(index: number): Button {
  const customId = `MJ::Job::PromptAnalyzer::${index}`;
  return { customId, label: '', emoji: `${index}️⃣`, press: { kind: 'imagine-text', index } };
}
