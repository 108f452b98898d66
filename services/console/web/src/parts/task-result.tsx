import { CircleAlert, Hourglass } from 'lucide-react';
import { mediaPath } from '../api/gateway.ts';
import type { Task } from '../api/task.ts';
import { say } from '../frame/texts.ts';
import { AudioPlayer } from './audio-player.tsx';
import { ImageGrid } from './image-grid.tsx';
import { JsonView } from './json-view.tsx';
import classes from './task-result.module.css';

type Result = NonNullable<Task['result']>;

/** Fields that have the same files again, by other names. */
const LINKS: readonly string[] = ['image_urls', 'grid_image_url'];

/** The result of a task, to look at and play; or why there is none. */
export function TaskResult({ task }: { task: Task }) {
  const { status, error, result, progress } = task;
  if (status === 'failed') return <Message icon={CircleAlert} text={error?.message ?? ''} detail={error?.param} />;
  if (status !== 'completed') return <Running progress={progress} />;
  if (result === undefined) return <p className="quiet">{say('result.none')}</p>;
  return <MadeResult result={result} />;
}

/** A result, to look at and play. */
export function MadeResult({ result }: { result: Result }) {
  const {
    images = [],
    videos = [],
    audios = [],
    music = [],
    lyrics = [],
    text,
    description,
    buttons,
    ...others
  } = result;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !LINKS.includes(name)));
  return (
    <div className="stack">
      {images.length > 0 && <ImageGrid links={images.flatMap(({ url }) => url)} />}
      {videos.flatMap(({ url, cover_url }) =>
        url.map((link) => (
          // biome-ignore lint/a11y/useMediaCaption: what models make comes without captions
          <video
            key={link}
            className={classes.video}
            controls
            preload="metadata"
            src={mediaPath(link)}
            poster={cover_url === undefined ? undefined : mediaPath(cover_url)}
          />
        )),
      )}
      {audios.flatMap(({ url }) => url.map((link) => <AudioPlayer key={link} link={link} />))}
      {music.map((track) => (
        <Track key={track.audio_id} {...track} />
      ))}
      {music.length === 0 && lyrics.map((song) => <Lyrics key={song.text} {...song} />)}
      {text !== undefined && lyrics.length === 0 && <p className={classes.text}>{text}</p>}
      {description !== undefined && <p className={classes.text}>{description}</p>}
      {Object.keys(rest).length > 0 && <JsonView value={rest} />}
    </div>
  );
}

function Track({ title, tags, lyrics, audio_url, image_url }: NonNullable<Result['music']>[number]) {
  return (
    <article className={classes.track}>
      {image_url !== '' && <img src={mediaPath(image_url)} alt="" className={classes.cover} />}
      <div className="stack">
        <div>
          <h3>{title}</h3>
          <span className="quiet">{tags}</span>
        </div>
        <AudioPlayer link={audio_url} />
        {lyrics !== '' && (
          <details>
            <summary>{say('result.lyrics')}</summary>
            <p className={classes.text}>{lyrics}</p>
          </details>
        )}
      </div>
    </article>
  );
}

function Lyrics({ title, text, tags }: { title?: string; text: string; tags?: string }) {
  return (
    <article>
      {title !== undefined && <h3>{title}</h3>}
      {tags !== undefined && <span className="quiet">{tags}</span>}
      <p className={classes.text}>{text}</p>
    </article>
  );
}

function Running({ progress }: { progress: number }) {
  return (
    <div className={classes.running}>
      <Hourglass size={18} aria-hidden />
      <div>
        <p>{say('result.running')}</p>
        <progress className={classes.progress} max={100} value={progress} aria-label={say('result.progress')} />
      </div>
    </div>
  );
}

function Message({ icon: Icon, text, detail }: { icon: typeof CircleAlert; text: string; detail: string | undefined }) {
  return (
    <div className={classes.failed}>
      <Icon size={18} aria-hidden />
      <div>
        <p>{text}</p>
        {detail !== undefined && detail !== '' && <code>{detail}</code>}
      </div>
    </div>
  );
}
