"""The lab in the browser: any rule of any game, with sliders."""
