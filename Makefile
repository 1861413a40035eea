# Everything runs from .venv, which `make install` builds from nothing.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
WARM := .venv/.warm
PEERS := .venv-bench/.installed
CLIENTS := .clients/.installed

# The fast tests as other processors would run them: kernels of OpenBLAS, numpy and numba without newer instructions.
BLAS := Haswell Sandybridge Nehalem
FAST := $(BIN)/python -m pytest -n 2 -q -m "not slow"

.PHONY: install warm demo stage stage-clients test test-all test-portable fuzz faults soak scaling bare lint format bench \
  bench-peers follow-table push-table held-out-table life-table looks-table plant-table \
  robot-table clients docs clean

install: $(STAMP) $(WARM)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

# Compiled ahead, once; a later change of the code compiles again what it touched, when it is needed.
warm: $(WARM)

$(WARM): $(STAMP)
	$(BIN)/poise warm
	touch $@

# The main job once: a shove, as film, contact sheet, plot and reloadable take.
demo: install
	mkdir -p demo
	$(BIN)/poise run balance-push --push torso:-300,0,0@1.0+0.1 --set weights.arms=0.02 --seconds 4 --json \
	  -o demo/shove.mp4 -o demo/shove.png -o demo/shove.npz --plot demo/shove-plot.png
	@echo "demo/ holds the shove. To push, pull and walk the body yourself, in the browser: make stage" >&2

# The same body live in the browser, to be touched.
stage: install
	$(BIN)/poise stage

# A browser for the tests of the page, from the system's packages.
stage-clients:
	command -v chromium >/dev/null || command -v google-chrome >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; }

test: lint
	$(FAST)

test-all: lint stage-clients
	$(BIN)/python -m pytest -n 2

test-portable: install $(BLAS:%=portable-%) portable-numpy portable-numba

portable-%: install
	OPENBLAS_CORETYPE=$* $(FAST)

portable-numpy: install
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python tests/newer.py)" $(FAST)

portable-numba: install
	NUMBA_CPU_NAME=generic $(FAST)

# Campaigns, bounded in time and seeded: make fuzz SECONDS=600 SEED=3. What they find goes to tests/corpus/.
# By number: make fuzz INPUTS=100000, make faults KILLS=1000. A day of standing, verified meanwhile, about an hour on two
# idle cores: make soak SCENES=stand SIMULATED=86400 KEEP=out/soak.
SECONDS ?= 60
SEED ?= 0
INPUTS ?= 0
KILLS ?= 0
SCENES ?= stand,walk

fuzz: install
	$(BIN)/python tests/campaigns/fuzz.py --seconds $(SECONDS) --seed $(SEED) --inputs $(INPUTS)

faults: install
	$(BIN)/python tests/campaigns/faults.py --seconds $(SECONDS) --seed $(SEED) --kills $(KILLS)

soak: install
	$(BIN)/python tests/campaigns/soak.py --seconds $(SECONDS) --scenes $(SCENES) $(if $(SIMULATED),--simulated $(SIMULATED)) $(if $(KEEP),--keep $(KEEP))

# What a second core gives, on a machine that does nothing else; eight minutes. ONLY=batch, pushes or map.
ONLY ?= batch,pushes,map

scaling: install
	$(BIN)/python tests/campaigns/scaling.py --only $(ONLY)

# Every command in an environment that has Poise and no extra.
bare: install
	$(BIN)/python tests/campaigns/bare.py

lint: install
	$(BIN)/ruff check src tests examples docs
	$(BIN)/ruff format --check src tests examples docs
	$(BIN)/pyright

format: install
	$(BIN)/ruff check --fix src tests examples docs
	$(BIN)/ruff format src tests examples docs

# The site, with the API from docstrings: site/index.html. A warning is an error. Nothing is fetched while it is built.
docs: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -c "import latex2mathml, mkdocs, material, mkdocstrings_handlers.python" 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html"

bench: install
	$(BIN)/poise bench --json

# Every motion file of ../shared/mocap (or POISE_MOCAP) followed five times: docs/following-table.md.
follow-table: install
	$(BIN)/python examples/follow_table.py

# Eight of them pushed from eight sides in four phases: docs/following-pushes.md.
push-table: install
	$(BIN)/python examples/follow_pushes.py

# Clips that nobody had seen, made of shared ones: docs/following-held-out.md.
held-out-table: install
	$(BIN)/python examples/follow_held_out.py

# Hundreds of falls, and who stands again: docs/life-table.md. SHARE=0.3 runs less of it.
SHARE ?= 1

life-table: install
	$(BIN)/python examples/life_table.py $(SHARE)

# How far pushed people go, in every take of their push maps, resumable: docs/looks-table.md. SEED=1 is another map, STEP=4 every fourth push.
SEED ?= 0
STEP ?= 1

looks-table: install
	$(BIN)/python examples/looks_table.py $(SEED) $(STEP)

# Push limits over delay and mass of the plant, two hours on two cores, resumable: docs/plant-table.md.
plant-table: install
	$(BIN)/python examples/plant_table.py

# Robots by other people, as their packages carry them: docs/robots-table.md. An hour; what was measured is kept in out/robots.
ROBOTS := .robots/.installed

robot-table: install $(ROBOTS)
	$(BIN)/python examples/robot_table.py .robots

$(ROBOTS): Makefile
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --target .robots \
	  mjlab playground robosuite robosuite-models dm_control gymnasium genesis-world example-robot-data jvrc-description icub-models
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --dest .robots loco-mujoco==0.4.1
	tar xzf .robots/loco-mujoco-0.4.1.tar.gz -C .robots --strip-components 1 loco-mujoco-0.4.1/loco_mujoco
	touch $@

# Peers of `poise bench` live in an environment of their own: placo brings its own version of Pinocchio.
bench-peers: $(PEERS)

$(PEERS): Makefile
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check "placo==0.10.*" "mink>=1.3" "pin-pink>=4.4" daqp
	touch $@

# Programs that open what we write, for the slow tests: Blender as a module (400 MB) and the Khronos validator of glTF.
clients: $(CLIENTS)

$(CLIENTS): Makefile
	test -x .clients/venv/bin/python || $(PYTHON) -m venv .clients/venv
	.clients/venv/bin/python -m pip install --quiet --disable-pip-version-check "bpy>=4.2" numpy
	if command -v npm >/dev/null; then npm install --silent --no-save --prefix .clients gltf-validator; \
	  else echo "npm not found: the Khronos validator is left out"; fi
	touch $@

clean:
	rm -rf .venv .venv-bench .clients .robots demo build dist site
