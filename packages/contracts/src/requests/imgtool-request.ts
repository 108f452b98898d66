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
  /** With all parameters as flags behind it, as `a fox --ar 3:2 --v 7`. */
  prompt?: string;
  /** Of the alternative model for drawn images. */
  niji?: boolean;
  dimensions?: 'square' | 'portrait' | 'landscape';
  /** 1 to 4, counted from the top left in rows; 0 to 3 for `video`. */
  index?: number;
  /** The button of the parent that does it. */
  customId?: string;
  zoom?: 1.5 | 2;
  direction?: 'left' | 'right' | 'up' | 'down';
  videoType?: '480' | '720';
  motion?: 'low' | 'high';
  batchSize?: 1 | 2 | 4;
  /** An image that a video ends with; its file is the last of those that come along. */
  endUrl?: string;
  parent?: ImgtoolParent;
}

export interface ImgtoolParent {
  taskId: string;
  channelId: string;
  /** What that channel calls the job. */
  externalId: string;
  version?: string;
  buttons: readonly ImgtoolButton[];
}

export interface ImgtoolButton {
  customId: string;
  label: string;
}

/** What an adapter says of a finished job, as `facts` of its outcome. */
export interface ImgtoolFacts {
  buttons: readonly ImgtoolButton[];
  finalPrompt?: string;
  /** Of `describe`: four candidates. */
  description?: string;
  /** The outputs are the grid and its four images, with `tile` from 1 to 4 as their fact; false: one image, or videos. */
  hasGrid: boolean;
}
