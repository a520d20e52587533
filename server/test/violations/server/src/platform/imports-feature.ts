import { createDealsService } from '../features/deals/deals.service.ts';

export const wrong = createDealsService;
