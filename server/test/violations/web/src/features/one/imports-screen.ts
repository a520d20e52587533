import { OtherScreen } from '../other/OtherScreen.tsx';

export const wrong = OtherScreen;
