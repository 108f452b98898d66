import {
  AudioLines,
  Box,
  Clapperboard,
  FileText,
  Image,
  type LucideIcon,
  Music,
  Type,
  WandSparkles,
} from 'lucide-react';
import classes from './kind-icon.module.css';

const ICONS: Record<string, LucideIcon> = {
  image: Image,
  video: Clapperboard,
  music: Music,
  lyrics: FileText,
  imgtool: WandSparkles,
  tts: AudioLines,
  audio: AudioLines,
  text: Type,
};

/** The icon of what a task makes, or a file is. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = ICONS[kind] ?? Box;
  return (
    <span className={classes.icon}>
      <Icon size={15} aria-hidden />
    </span>
  );
}
