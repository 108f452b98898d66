/** A job that the demo runs when the service that does its work is there. */
export interface DemoJob {
  family: string;
  /** Folder under services/. */
  service: string;
  path: string;
  body: Record<string, unknown> & { model: string };
  /** The links in a finished task's `result`. */
  links(result: Record<string, unknown>): string[];
}

export const DEMO_JOBS: readonly DemoJob[] = [
  {
    family: 'image',
    service: 'image',
    path: '/v1/images/generations',
    body: {
      model: 'imagegen-2.5-flare',
      prompt: 'A lighthouse on a cliff at dusk, its beam over a calm sea',
      size: '16:9',
      resolution: '2k',
      quality: 'medium',
    },
    links: (result) => elements(result['images']).flatMap((image) => strings(image['url'])),
  },
  {
    family: 'video',
    service: 'video',
    path: '/v1/videos/generations',
    body: {
      model: 'videoa-3.0-video',
      prompt: 'A kite over a beach, seen from below',
      resolution: '480P',
      duration: 2,
    },
    links: (result) => elements(result['videos']).flatMap((video) => strings(video['url'])),
  },
  {
    family: 'music',
    service: 'music',
    path: '/v1/music/generations',
    body: { model: 'musicgen', gpt_description: 'A calm waltz for a rainy evening' },
    links: (result) => elements(result['music']).flatMap((song) => strings([song['audio_url']])),
  },
  {
    family: 'imgtool',
    service: 'imgtool',
    path: '/v1/imgtool/generations',
    body: { model: 'imgtool', prompt: 'A fox in the snow --ar 3:2' },
    links: (result) => strings(result['image_urls']),
  },
];

function elements(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'object' && element !== null) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}
