import { DealsScreen } from '../features/deals/DealsScreen.tsx';

export const wrong = DealsScreen;
