/** One image-tool job in terms no vendor owns. Images are loaded media, in the order of the body; a mask comes last. */
export interface ImgtoolRequest {
  action:
    | 'imagine'
    | 'blend'
    | 'describe'
    | 'shorten'
    | 'edits'
    | 'upscale'
    | 'variation'
    | 'high_variation'
    | 'low_variation'
    | 'reroll'
    | 'zoom'
    | 'pan'
    | 'inpaint'
    | 'modal'
    | 'video'
    | 'remix_strong'
    | 'remix_subtle';
  speed: 'relax' | 'fast' | 'turbo';
  /** The prompt with all parameters as flags behind it, as `a fox --ar 3:2 --v 7`. */
  prompt?: string;
  /** Uses the alternative model, for drawn images. */
  niji?: boolean;
  dimensions?: 'square' | 'portrait' | 'landscape';
  /** 1 to 4, counted from the top left in rows; 0 to 3 for `video`. */
  index?: number;
  /** The id of the parent's button that starts the action. */
  customId?: string;
  zoom?: 1.5 | 2;
  direction?: 'left' | 'right' | 'up' | 'down';
  videoType?: '480' | '720';
  motion?: 'low' | 'high';
  batchSize?: 1 | 2 | 4;
  /** The image that a video ends with; its file is the last of the loaded ones. */
  endUrl?: string;
  parent?: ImgtoolParent;
}

export interface ImgtoolParent {
  taskId: string;
  channelId: string;
  /** The job's id at that channel. */
  externalId: string;
  version?: string;
  buttons: readonly ImgtoolButton[];
}

export interface ImgtoolButton {
  customId: string;
  label: string;
}

/** An adapter's facts about a finished job, as `facts` of its outcome. */
export interface ImgtoolFacts {
  buttons: readonly ImgtoolButton[];
  finalPrompt?: string;
  /** The text that `describe` makes, four candidates, or `shorten`. */
  description?: string;
  /** The outputs are the grid and its four images, with `tile` from 1 to 4 as their fact; false: one image, or videos. */
  hasGrid: boolean;
}
