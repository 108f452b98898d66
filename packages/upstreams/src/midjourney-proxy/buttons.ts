import type { ImgtoolButton, ImgtoolParent, ImgtoolRequest } from '@mediagate/contracts';

/** A button of the parent to be pressed. */
export interface Press {
  customId: string;
  /** Much or little change, where the button itself does not say. */
  strong?: boolean;
  /** Opens the window in which the prompt is changed. */
  enableRemix?: true;
}

/** Buttons are called by what they do, by the image they do it to where there are several, and by a hash. */
type Way = Omit<Press, 'customId'> & { stem: string; image?: number };

/**
 * The button that does what is asked, found among those the vendor listed: the hash at its end, and whether there is such
 * a button at all, only the vendor knows. Undefined when the parent has none.
 */
export function pressFor(request: ImgtoolRequest, { buttons, version }: ImgtoolParent): Press | undefined {
  const ways = waysOf(request, { takesStrength: version?.startsWith('v8') ?? false });
  const listed = buttons.map(({ customId }) => customId);
  if (request.customId !== undefined) {
    const chosen = listed.find((customId) => customId === request.customId);
    return chosen === undefined ? undefined : press(chosen, ways.find(({ stem }) => chosen.startsWith(stem)) ?? {});
  }
  for (const way of ways) {
    const { stem, image } = way;
    const prefix = image === undefined ? stem : `${stem}${image}::`;
    const found = listed.find((customId) => customId.startsWith(prefix));
    if (found !== undefined) return press(found, way);
  }
  return undefined;
}

/** An action that the vendor may offer under a single image only. */
export type LaterAction = Extract<ImgtoolRequest['action'], 'high_variation' | 'low_variation'>;

/** Where the button is under single images only: the one that makes the image alone, and what is then done to it. */
export function upscaleFirst(
  request: ImgtoolRequest,
  parent: ImgtoolParent,
): { press: Press; later: LaterAction } | undefined {
  const { action: later, speed, index } = request;
  if (index === undefined || (later !== 'high_variation' && later !== 'low_variation')) return undefined;
  const press = pressFor({ action: 'upscale', speed, index }, parent);
  return press && { press, later };
}

function press(customId: string, { strong, enableRemix }: Omit<Press, 'customId'>): Press {
  return { customId, ...(strong === undefined ? {} : { strong }), ...(enableRemix ? { enableRemix } : {}) };
}

/**
 * In order of preference. A tile of a grid may have one button for variations, where a single image has two; from version
 * 8 on, that one takes the strength beside it.
 */
function waysOf(
  { action, index, zoom = 2, direction, motion }: ImgtoolRequest,
  { takesStrength }: { takesStrength: boolean },
): Way[] {
  const image = index ?? 1;
  const variation = { stem: 'MJ::JOB::variation::', image };
  const high = { stem: 'MJ::JOB::high_variation::', image };
  const low = { stem: 'MJ::JOB::low_variation::', image };
  switch (action) {
    case 'upscale':
      return [{ stem: 'MJ::JOB::upsample::', image }];
    case 'variation':
      return [variation];
    case 'high_variation':
      return takesStrength ? [high, { ...variation, strong: true }] : [high];
    case 'low_variation':
      return takesStrength ? [low, { ...variation, strong: false }] : [low];
    case 'remix_strong':
      return [variation, high].map((way) => ({ ...way, strong: true, enableRemix: true }));
    case 'remix_subtle':
      return [variation, low].map((way) => ({ ...way, strong: false, enableRemix: true }));
    case 'reroll':
      return [{ stem: 'MJ::JOB::reroll::' }];
    case 'zoom':
      return [{ stem: `MJ::Outpaint::${zoom === 1.5 ? 75 : 50}::` }];
    case 'pan':
      return [{ stem: `MJ::JOB::pan_${direction}::` }];
    case 'inpaint':
      return [{ stem: 'MJ::Inpaint::' }];
    case 'video': {
      const motions = motion === undefined ? ['low', 'high'] : [motion];
      // Here alone images are counted from 0.
      return motions.map((word) => ({ stem: `MJ::JOB::animate_${word}::`, image: (index ?? 0) + 1 }));
    }
    default:
      return [];
  }
}

/**
 * Buttons that some operation presses; callers cannot ask for the vendor's other buttons, as the one that draws a description.
 */
const PRESSABLE =
  /^MJ::(?:JOB::(?:upsample|(?:high_|low_)?variation::|reroll::|pan_|animate_(?:low|high)(?:_extend)?::)|Outpaint::(?:50|75)::|Inpaint::)/;

export function canBePressed({ customId }: Pick<ImgtoolButton, 'customId'>): boolean {
  return PRESSABLE.test(customId);
}

/** Videos are continued by the route for videos, which says which of them it is. */
export function hasVideos({ buttons }: ImgtoolParent): boolean {
  return buttons.some(({ customId }) =>
    /^MJ::JOB::(?:animate_(?:low|high)_extend|video_virtual_upscale)::/.test(customId),
  );
}
