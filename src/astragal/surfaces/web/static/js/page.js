// What every page with cards on it has.
import { tellTimes } from "./times.js";

tellTimes(document);
