import './styles/mantine.css';
import 'virtual:theme-variables.css';
import './styles/page.css';
import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';
import { currentLanguage } from './texts/languages.ts';
import { loadTexts } from './texts/texts.ts';

document.documentElement.lang = currentLanguage();
const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no place for the page');
await loadTexts('frame');
createRoot(place).render(<App />);
