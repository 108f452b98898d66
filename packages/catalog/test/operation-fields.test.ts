import { loadCatalogue } from '../src';

const catalogue = loadCatalogue();

/** Fields of every body, whatever its operation. */
const EVERYWHERE = ['model', 'webhook', 'language', 'metadata', 'max_cost', 'expires_in'];

const SOURCE = 'task_id! audio_index';
const MODES =
  'custom prompt title tags negative_tags auto_lyrics style_weight weirdness_constraint audio_weight gpt_description vocal_gender';
const DRAWING =
  'prompt! size quality style version niji seed negative_prompt stylize chaos weird tile iw raw draft hd stop repeat';
const GENERAL = 'speed';
const IMAGE = 'task_id! index custom_id';

/** As the specification lists them; `!` where a body without the field is refused by its schema. */
const FIELDS: Readonly<Record<string, string>> = {
  'music.create': `version ${MODES} instrumental audio_format duration`,
  'music.extend': `${SOURCE} continue_at! version ${MODES}`,
  'music.cover': `${SOURCE} version ${MODES}`,
  'music.upload': 'audio_url!',
  'music.replace': `${SOURCE} start_s! end_s! version infill_lyrics prompt tags title`,
  'music.crop': `${SOURCE} start_s! end_s! audio_format`,
  'music.remove': `${SOURCE} start_s! end_s! audio_format`,
  'music.fade': `${SOURCE} fade_in_s fade_out_s audio_format`,
  'music.adjust-speed': `${SOURCE} speed! audio_format`,
  'music.stems': `${SOURCE} stem_type`,
  'music.remaster': `${SOURCE} version`,
  'music.sample': `${SOURCE} start_s end_s instrumental version ${MODES}`,
  'music.sounds': 'version prompt! type bpm key',
  'music.lyrics': 'prompt! lyrics_model',
  'music.concat': SOURCE,
  'music.midi': SOURCE,
  'music.bpm': SOURCE,
  'music.aligned-lyrics': SOURCE,
  'imgtool.imagine': `${DRAWING} image_urls ${GENERAL}`,
  'imgtool.edits': `${DRAWING} image_urls! ${GENERAL}`,
  'imgtool.blend': `image_urls! dimensions size ${GENERAL}`,
  'imgtool.describe': `image_urls! ${GENERAL}`,
  'imgtool.shorten': `prompt! ${GENERAL}`,
  'imgtool.upscale': `${IMAGE} ${GENERAL}`,
  'imgtool.variation': `${IMAGE} ${GENERAL}`,
  'imgtool.high-variation': `${IMAGE} ${GENERAL}`,
  'imgtool.low-variation': `${IMAGE} ${GENERAL}`,
  'imgtool.reroll': `task_id! ${GENERAL}`,
  'imgtool.zoom': `task_id! zoom_ratio ${GENERAL}`,
  'imgtool.pan': `task_id! direction! ${GENERAL}`,
  'imgtool.inpaint': `task_id! ${GENERAL}`,
  'imgtool.modal': `task_id! prompt mask_url ${GENERAL}`,
  'imgtool.video': 'image_urls task_id index prompt video_type motion batch_size end_url',
  'imgtool.remix-strong': 'task_id! index! prompt',
  'imgtool.remix-subtle': 'task_id! index! prompt',
};

const entries = catalogue.entries.filter(({ id }) => id === 'musicgen' || id === 'imgtool');

it.each(entries.map((entry) => [entry.operation, entry] as const))(
  '%s has just its fields',
  (operation, { schema }) => {
    const { properties, required = [] } = schema as { properties: object; required?: string[] };
    const own = Object.keys(properties).filter((field) => !EVERYWHERE.includes(field));
    const marked = own.map((field) => (required.includes(field) ? `${field}!` : field));
    expect(marked.sort()).toEqual((FIELDS[operation] ?? '').split(' ').sort());
  },
);

it('covers every operation of music and of the image tool', () => {
  expect(entries.map(({ operation }) => operation).sort()).toEqual(Object.keys(FIELDS).sort());
});
