import { ActionIcon } from '@mantine/core';
import { Download, Pause, Play } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { mediaPath } from '../api/gateway.ts';
import { say } from '../frame/texts.ts';
import classes from './audio-player.module.css';

const BARS = 96;
const STEP_SECONDS = 0.1;

/** A sound with its waveform, on which one moves as on a slider: behind a link, or in memory under an address of its own. */
export function AudioPlayer({ link, content }: { link: string; content?: Blob }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [gone, setGone] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const source = content === undefined ? mediaPath(link) : link;
  if (gone) return <p className="quiet">{say('result.expired')}</p>;
  const seek = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    if (audio.current !== null) audio.current.currentTime = Number(currentTarget.value);
  };
  const toggle = () => void (playing ? audio.current?.pause() : audio.current?.play());
  return (
    <div className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: what models make comes without captions */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget }) => setLength(currentTarget.duration)}
        onError={() => setGone(true)}
      />
      <ActionIcon size="lg" radius="xl" aria-label={say(playing ? 'result.pause' : 'result.play')} onClick={toggle}>
        {playing ? <Pause size={16} /> : <Play size={16} />}
      </ActionIcon>
      <div className={classes.wave}>
        <Waveform source={content ?? source} share={length > 0 ? at / length : 0} />
        <input
          type="range"
          className={classes.slider}
          aria-label={say('result.position')}
          min={0}
          max={length || 1}
          step={STEP_SECONDS}
          value={at}
          onChange={seek}
        />
      </div>
      <span className="number quiet">
        {clock(at)} / {clock(length)}
      </span>
      <ActionIcon
        component="a"
        href={source}
        download
        variant="subtle"
        color="gray"
        aria-label={say('result.download')}
      >
        <Download size={14} />
      </ActionIcon>
    </div>
  );
}

function Waveform({ source, share }: { source: string | Blob; share: number }) {
  const [peaks, setPeaks] = useState<readonly number[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    peaksOf(source, stop.signal).then(setPeaks, () => {
      // A format that the browser plays and cannot take apart has a plain line.
    });
    return () => stop.abort();
  }, [source]);
  return (
    <svg className={classes.bars} viewBox={`0 0 ${BARS} 32`} preserveAspectRatio="none" aria-hidden="true">
      {Array.from({ length: BARS }, (_, bar) => {
        const height = Math.max(1.5, (peaks[bar] ?? 0) * 30);
        const played = bar / BARS < share;
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={bar} x={bar + 0.2} y={16 - height / 2} width={0.6} height={height} data-played={played} />;
      })}
    </svg>
  );
}

/** The loudest moment of each part, as a share of the loudest of all. */
async function peaksOf(source: string | Blob, signal: AbortSignal): Promise<number[]> {
  const sound = typeof source === 'string' ? await fetch(source, { signal }) : source;
  const context = new OfflineAudioContext(1, 1, 22_050);
  const samples = (await context.decodeAudioData(await sound.arrayBuffer())).getChannelData(0);
  const size = Math.floor(samples.length / BARS);
  const peaks = Array.from({ length: BARS }, (_, bar) => peak(samples.subarray(bar * size, (bar + 1) * size)));
  const loudest = Math.max(...peaks, Number.EPSILON);
  return peaks.map((value) => value / loudest);
}

function peak(samples: Float32Array): number {
  let found = 0;
  for (const sample of samples) found = Math.max(found, Math.abs(sample));
  return found;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
