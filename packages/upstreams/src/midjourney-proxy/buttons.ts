import type { ImgtoolParent, ImgtoolRequest } from '@mediagate/contracts';

/** A button of the parent to be pressed. */
export interface Press {
  customId: string;
  /** Much or little change, where the button itself does not say. */
  strong?: boolean;
  /** Opens the window in which the prompt is changed. */
  enableRemix?: true;
}

type Way = Omit<Press, 'customId'> & { prefix: string };

/**
 * The button that does what is asked, found among those the vendor listed: what follows the prefix, and whether there is
 * such a button at all, only the vendor knows. Undefined when the parent has none.
 */
export function pressFor(request: ImgtoolRequest, { buttons }: ImgtoolParent): Press | undefined {
  const ways = request.action === 'video' ? animateWays(request) : waysOf(request);
  const listed = buttons.map(({ customId }) => customId);
  if (request.customId !== undefined) {
    const chosen = listed.find((customId) => customId === request.customId);
    return chosen === undefined ? undefined : press(chosen, ways.find(({ prefix }) => chosen.startsWith(prefix)) ?? {});
  }
  for (const way of ways) {
    const found = listed.find((customId) => customId.startsWith(way.prefix));
    if (found !== undefined) return press(found, way);
  }
  return undefined;
}

function press(customId: string, { strong, enableRemix }: Omit<Press, 'customId'>): Press {
  return { customId, ...(strong === undefined ? {} : { strong }), ...(enableRemix ? { enableRemix } : {}) };
}

/** In order of preference. A tile of a grid has one button for variations, a single picture one for each strength. */
function waysOf({ action, index = 1, zoom = 2, direction }: ImgtoolRequest): Way[] {
  const variation = `MJ::JOB::variation::${index}::`;
  const enableRemix = true;
  switch (action) {
    case 'upscale':
      return [{ prefix: `MJ::JOB::upsample::${index}::` }];
    case 'variation':
      return [{ prefix: variation }];
    case 'high_variation':
      return [{ prefix: `MJ::JOB::high_variation::${index}::` }, { prefix: variation, strong: true }];
    case 'low_variation':
      return [{ prefix: `MJ::JOB::low_variation::${index}::` }, { prefix: variation, strong: false }];
    case 'remix_strong':
      return [
        { prefix: variation, strong: true, enableRemix },
        { prefix: `MJ::JOB::high_variation::${index}::`, strong: true, enableRemix },
      ];
    case 'remix_subtle':
      return [
        { prefix: variation, strong: false, enableRemix },
        { prefix: `MJ::JOB::low_variation::${index}::`, strong: false, enableRemix },
      ];
    case 'reroll':
      return [{ prefix: 'MJ::JOB::reroll::' }];
    case 'zoom':
      return [{ prefix: `MJ::Outpaint::${zoom === 1.5 ? 75 : 50}::` }];
    case 'pan':
      return [{ prefix: `MJ::JOB::pan_${direction}::` }];
    case 'inpaint':
      return [{ prefix: 'MJ::Inpaint::' }];
    default:
      return [];
  }
}

/** Pictures are numbered from 0 here alone. */
function animateWays({ index = 0, motion }: ImgtoolRequest): Way[] {
  const motions = motion === undefined ? ['low', 'high'] : [motion];
  return motions.map((word) => ({ prefix: `MJ::JOB::animate_${word}::${index + 1}::` }));
}

/** Films are gone on with by the route for films, which takes the place of the film in place of a button. */
export function hasFilms({ buttons }: ImgtoolParent): boolean {
  return buttons.some(({ customId }) =>
    /^MJ::JOB::(?:animate_(?:low|high)_extend|video_virtual_upscale)::/.test(customId),
  );
}
